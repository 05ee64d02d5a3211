"""The surface of a run's water as a triangle mesh: fields of water, meshes, values, files."""
