import json

import pytest

from ragproof_ray.reports.document import to_json, usd


@pytest.mark.parametrize(
    ("picousd", "shown"),
    [(0, "0"), (2 * 10**12, "2"), (1, "1e-12"), (1_500_000_000_000, "1.5")],
)
def test_money_is_shown_in_usd_a_whole_amount_as_an_integer(picousd, shown):
    assert json.dumps(usd(picousd)) == shown


def test_json_is_ascii_and_indented_by_two():
    assert to_json({"label": "é\u202e"}) == '{\n  "label": "\\u00e9\\u202e"\n}'


def test_json_refuses_what_is_no_json():
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(float("nan"))
