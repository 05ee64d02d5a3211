"""Reading and drawing of run folders: files, comparisons with references, figures."""
