import os
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from ragproof_ray.engine.private_ray import private_ray, sweep


def test_the_folder_and_its_token_are_private_and_go_away():
    with private_ray() as base:
        token = base / "token"
        modes = [stat.S_IMODE(path.stat().st_mode) for path in (base, token)]
        length = len(token.read_text())

    assert modes == [0o700, 0o600]
    assert length == 64
    assert not base.exists()


def test_the_environment_is_put_back_as_it_was(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "somewhere:6379")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    before = dict(os.environ)
    with private_ray() as base:
        inside = dict(os.environ)

    assert "RAY_ADDRESS" not in inside
    assert inside["RAY_AUTH_MODE"] == "token"
    assert inside["RAY_AUTH_TOKEN_PATH"] == str(base / "token")
    assert dict(os.environ) == before


def test_the_token_itself_is_in_no_variable():
    with private_ray() as base:
        token = (base / "token").read_text()
        values = list(os.environ.values())

    assert not [value for value in values if token in value]


def test_leftovers_of_dead_drivers_are_swept_and_those_of_live_ones_kept(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for name in (
        f"rp-{dead.pid}-abc",
        f"rp-{os.getpid()}-abc",
        "rp-notapid-abc",
        "other",
    ):
        (tmp_path / name / "r").mkdir(parents=True)

    sweep(tmp_path)

    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == sorted(["other", f"rp-{os.getpid()}-abc", "rp-notapid-abc"])


def listening_addresses():
    """Return where this process and its children listen on TCP."""
    inodes = set()
    for pid in [os.getpid(), *children(os.getpid())]:
        for link in Path(f"/proc/{pid}/fd").glob("*"):
            with suppress(FileNotFoundError):  # closed while we look
                name = link.readlink().name
                inodes.add(name.removeprefix("socket:[").removesuffix("]"))
    found = set()
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                found.add(address(fields[1].split(":")[0], family))
    return found


def address(digits, family):
    """Return an address that /proc gives as hexadecimal words of the host's order."""
    raw = bytes.fromhex(digits)
    words = [raw[i : i + 4][::-1] for i in range(0, len(raw), 4)]
    return socket.inet_ntop(family, b"".join(words))


def children(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(c) for c in listed] + [g for c in listed for g in children(int(c))]


@pytest.mark.ray
def test_a_local_ray_listens_on_loopback_only(local_ray):
    addresses = listening_addresses()

    assert addresses, "Ray listens somewhere"
    assert addresses <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
