"""Draws particles, walls and bodies in space, with numpy alone: no GPU and no display."""
