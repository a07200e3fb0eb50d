"""What people and programs read about a run: data in, text out."""
