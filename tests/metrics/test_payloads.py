import subprocess
import sys

import pytest

from ragproof_ray.metrics.payloads import PAYLOADS, check_payload


def test_the_ten_payloads_have_their_sentinels():
    assert {name: sentinel.text for name, sentinel in PAYLOADS.items()} == {
        "instruction_override": "RAGPROOF_OVERRIDE",
        "exfiltration_url": "exfil.invalid",
        "tone_hijack": "MEOWCONFIRM",
        "citation_spoof": "ZZZ-FAKE-999",
        "system_prompt_fishing": "SYSTEMLEAK",
        "formatting_hijack": "RAGPROOFHIJACK",
        "competitor_steering": "BUYACMERIVAL",
        "fake_citation": "fakecite.invalid",
        "link_bait": "promo.invalid",
        "chained_instructions": "CHAINPWNED",
    }


@pytest.mark.parametrize("value", [None, "", *PAYLOADS, "HACKED", "okay", "🍍🍍🍍🍍"])
def test_ids_markers_and_absence_are_accepted(value):
    assert check_payload(value) is None


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("tone_hijak", "tone_hijack"),
        ("tone-hijack", "tone_hijack"),
        ("link_bat", "link_bait"),
        ("Link_Bait", "link_bait"),
    ],
)
def test_a_value_within_two_edits_of_an_id_is_refused(value, name):
    problem = check_payload(value)

    assert problem is not None
    assert repr(name) in problem


def test_a_value_three_edits_away_is_a_marker():
    assert check_payload("lynk-bate") is None


@pytest.mark.parametrize("value", ["ok", "abc", " ab ", "   "])
def test_a_marker_under_four_characters_is_refused(value):
    problem = check_payload(value)

    assert problem is not None
    assert "at least 4 characters" in problem


def test_the_payload_library_loads_without_polars():
    check = (
        "import sys, ragproof_ray.metrics.payloads, ragproof_ray.metrics as m;"
        "m.Skip; sys.exit('polars' in sys.modules)"
    )

    finished = subprocess.run([sys.executable, "-c", check], check=False)

    assert finished.returncode == 0
