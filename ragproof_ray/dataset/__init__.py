"""Datasets: read, checked, named by content, frozen."""

from ragproof_ray.dataset.fingerprint import DatasetFingerprint
from ragproof_ray.dataset.freeze import FrozenSummary, freeze
from ragproof_ray.dataset.read import DatasetReader

__all__ = ["DatasetFingerprint", "DatasetReader", "FrozenSummary", "freeze"]
