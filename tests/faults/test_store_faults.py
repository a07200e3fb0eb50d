"""A store that refuses: one clear error, what is finished kept, no other run damaged."""

import json
import subprocess
import sys

import pytest

# 3,000 characters a case that no compression makes smaller than half.
PIPELINE = """
    import random

    class Pipeline:
        async def retrieve(self, question, k):
            text = random.Random(question).randbytes(1500).hex()
            return [{"id": "d1", "text": text}]
"""
CASES = 20_000


@pytest.fixture
def small_disk(tmp_path):
    """A filesystem of 20 MiB that really fills."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no filesystem can be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def heavy(project):
    project.cases(*({"id": f"c{n}", "question": f"q{n}"} for n in range(CASES)))
    project.pipeline(PIPELINE)
    return project


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.ray)])
def test_a_full_disk_stops_the_run_with_one_error_and_what_is_stored_is_kept(
    heavy, local_ray, small_disk, workers
):
    heavy.write_config(store=str(small_disk / "store"), run={"shard_size": 500})
    code, _, err = heavy.command("run", "--json", "--workers", workers)

    assert code == 2
    assert "No space left on device" in err
    assert "Traceback" not in err
    assert err.count("error: ") == 1
    kept = len(heavy.exported())
    assert CASES * 0.1 <= kept <= CASES * 0.9

    subprocess.run(["mount", "-o", "remount,size=128m", str(small_disk)], check=True)
    resumed = heavy.run_json("--resume", "latest", "--workers", "0")
    assert (resumed["ok"], resumed["status"]) == (CASES, "completed")
    assert [row["case_position"] for row in heavy.exported()] == list(range(CASES))


def test_a_file_size_limit_is_a_clear_error_and_the_run_resumes_without_it(heavy):
    heavy.write_config()
    # A file of cases fits below the limit of 1,000 KiB, a part does not.
    command = f"ulimit -f 1000; exec {sys.executable} -m ragproof_ray run --json"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=heavy.folder,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2, done.stderr
    assert "File too large" in done.stderr
    assert "Traceback" not in done.stderr
    resumed = heavy.run_json("--resume", "latest")
    assert (resumed["ok"], resumed["status"]) == (CASES, "completed")


def test_two_runs_at_once_on_one_store_leave_each_other_alone(heavy):
    heavy.write_config()
    command = [sys.executable, "-m", "ragproof_ray", "run", "--json"]
    both = [
        subprocess.Popen(
            command,
            cwd=heavy.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    documents = []
    for process in both:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        documents.append(json.loads(out))

    assert documents[0]["run_id"] != documents[1]["run_id"]
    assert documents[0]["metrics"] == documents[1]["metrics"]
    for document in documents:
        assert len(heavy.exported(document["run_id"])) == CASES
    stored = list((heavy.folder / "store" / "datasets").iterdir())
    assert [path.name for path in stored] == [documents[0]["dataset_hash"]]
