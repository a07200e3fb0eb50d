"""Running an evaluation: the worker, the store, and the executors around them."""
