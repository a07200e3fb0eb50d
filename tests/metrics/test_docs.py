import re
from pathlib import Path

from ragproof_ray.metrics import METRICS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
TESTS = "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")
)


def test_every_test_named_in_the_page_exists():
    named = set(re.findall(r"`(test_\w+)`", PAGE))

    assert named
    assert named <= set(re.findall(r"^def (test_\w+)\(", TESTS, flags=re.MULTILINE))


def test_every_metric_and_its_first_reason_are_in_the_page():
    for metric in METRICS:
        assert f"`{metric.name}`" in PAGE
        assert metric.requires[0].reason in PAGE
