"""Reading and drawing of run folders: run_folder (files), reference (comparisons), pictures (figures)."""
