import os
import time
from datetime import UTC, datetime

import polars as pl
import pytest

from ragproof_ray.engine.parts import PartName
from ragproof_ray.engine.records import CloseRecord, DatasetRecord, Heartbeat, Manifest
from ragproof_ray.engine.store import CASES_PER_FILE, Store, StoreWarning
from ragproof_ray.errors import ConfigError, StoreError
from ragproof_ray.schema import CASE_SCHEMA

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RUN = "11111111-1111-4111-8111-111111111111"
FIRST, SECOND = "20260101T000000000000aaaaaa", "20260102T000000000000aaaaaa"


def manifest(run_id=RUN, dataset_hash="d" * 64, total=4):
    return Manifest(
        run_id=run_id,
        project="p",
        label=None,
        started_at=NOW,
        dataset=DatasetRecord(
            "cases.jsonl", dataset_hash, "s" * 64, "c" * 64, total, {"qa": total}
        ),
        total_cases=total,
        metrics=["m"],
        user_metrics={},
        k=5,
        source_match="chunk",
        adapter="a:b",
        judge_model=None,
        prompt_versions={},
        config={},
        config_hash="f" * 64,
        versions={},
    )


@pytest.fixture(params=["folder", "uri", "memory"])
def store(request, tmp_path):
    location = {
        "folder": str(tmp_path / "store"),
        "uri": (tmp_path / "store").as_uri(),
        "memory": "mock:///store",
    }
    made = Store(location[request.param])
    made.create_run(manifest())
    return made


def part(launch, number=0, attempt_no=1, attempt_id="abcd1234"):
    return PartName(launch, attempt_no, attempt_id, number)


def put(store, name, *rows, run_id=RUN, dataset_hash="d" * 64):
    frame = pl.DataFrame(
        rows,
        {"ordinal": pl.UInt32, "rank": pl.UInt8, "status": pl.String},
        orient="row",
    )
    store.put_part(run_id, name, frame, dataset_hash)


def close(store, launch, status="completed"):
    accepted = store.accepted(RUN)
    record = CloseRecord(
        launch,
        status,
        NOW,
        NOW,
        0,
        {},
        accepted.ordinals,
        dict(accepted.parts),
        dict(accepted.losers),
    )
    store.close(RUN, record)


def rows(store):
    frame = store.scan_results(RUN).select("ordinal", "status").collect()
    return sorted(frame.rows())


def test_a_manifest_reads_back(store):
    assert store.read_manifest(RUN) == manifest()
    assert store.run_ids() == [RUN]


def test_the_reader_yields_every_case_of_every_part_once(store):
    put(store, part(FIRST, 0), (0, 2, "ok"), (1, 2, "ok"))
    put(store, part(FIRST, 1), (2, 0, "error"))

    assert rows(store) == [(0, "ok"), (1, "ok"), (2, "error")]
    close(store, FIRST)
    assert rows(store) == [(0, "ok"), (1, "ok"), (2, "error")]


def test_a_retried_case_replaces_its_failure_only_by_success(store):
    put(store, part(FIRST), (0, 2, "ok"), (1, 0, "error"), (2, 0, "timeout"))
    close(store, FIRST)
    put(store, part(SECOND), (1, 2, "ok"), (2, 0, "error"))

    assert rows(store) == [(0, "ok"), (1, "ok"), (2, "error")]
    close(store, SECOND)
    assert rows(store) == [(0, "ok"), (1, "ok"), (2, "error")]


def test_what_appears_after_the_close_is_ignored(store):
    put(store, part(FIRST), (0, 0, "error"))
    close(store, FIRST)
    put(store, part(FIRST, 1), (0, 2, "ok"), (1, 2, "ok"))

    assert rows(store) == [(0, "error")]


def test_the_close_record_with_the_most_cases_rules_and_the_newest_of_equals(store):
    put(store, part(FIRST), (0, 2, "ok"), (1, 2, "ok"))
    close(store, FIRST)
    smaller = CloseRecord(SECOND, "partial", NOW, NOW, 0, {}, 0, {})
    store.close(RUN, smaller)

    assert store.accepted(RUN).ordinals == 2


def test_a_listed_part_that_is_missing_is_an_error(store):
    put(store, part(FIRST), (0, 2, "ok"))
    accepted = store.accepted(RUN)
    gone = {**accepted.parts, str(part(FIRST, 9)): 5}
    store.close(RUN, CloseRecord(FIRST, "completed", NOW, NOW, 0, {}, 1, gone))

    with pytest.raises(
        StoreError, match=r"00009\.parquet is missing: 1 of 2 listed parts"
    ):
        store.accepted(RUN)


def test_a_part_of_another_run_or_dataset_is_skipped_with_a_warning(store):
    put(store, part(FIRST), (0, 2, "ok"))
    put(store, part(FIRST, 1), (1, 2, "ok"), dataset_hash="e" * 64)

    with pytest.warns(StoreWarning, match="belongs to another run and was skipped"):
        assert rows(store) == [(0, "ok")]


def test_a_torn_part_is_skipped_with_a_warning(tmp_path):
    store = Store(str(tmp_path))
    store.create_run(manifest())
    put(store, part(FIRST), (0, 2, "ok"))
    put(store, part(FIRST, 1), (1, 2, "ok"))
    torn = tmp_path / "runs" / RUN / "parts" / str(part(FIRST, 1))
    torn.write_bytes(torn.read_bytes()[:-20])

    with pytest.warns(StoreWarning, match=r"a part was skipped: .*magic bytes"):
        assert rows(store) == [(0, "ok")]


def test_files_that_are_no_parts_are_ignored(tmp_path):
    store = Store(str(tmp_path))
    store.create_run(manifest())
    put(store, part(FIRST), (0, 2, "ok"))
    (tmp_path / "runs" / RUN / "parts" / "notes.txt").write_text("hello")
    (tmp_path / "runs" / RUN / "parts" / f"{part(FIRST, 1)}.tmp-abcd").write_text(
        "torn"
    )

    assert rows(store) == [(0, "ok")]


def test_the_rows_of_one_attempt_are_found_among_others(store):
    put(store, part(FIRST, 0, attempt_id="aaaa"), (0, 2, "ok"), (1, 0, "error"))
    put(store, part(FIRST, 0, attempt_id="bbbb"), (2, 2, "ok"))

    found = store.attempt_rows(RUN, FIRST, "aaaa")

    assert found.rows() == [(0, 2), (1, 0)]


def cases(count, start=0):
    numbers = range(start, start + count)
    return pl.DataFrame(
        {
            "ordinal": numbers,
            "case_id": [f"c{n}" for n in numbers],
            "kind": "qa",
            "question": [f"question {n}?" for n in numbers],
            "expected_answer": None,
            "expected_source_ids": [["d"]] * count,
            "adversarial_payload": None,
            "metadata": None,
            "case_hash": "0" * 64,
        },
        schema=CASE_SCHEMA,
    )


def test_cases_are_read_back_by_ordinal_across_files(store):
    batches = [cases(CASES_PER_FILE), cases(10, CASES_PER_FILE)]
    store.put_dataset(batches, lambda: "hash")
    wanted = (range(3, 5), range(CASES_PER_FILE - 1, CASES_PER_FILE + 2))

    found = pl.concat(store.read_cases("hash", wanted))

    assert found["ordinal"].to_list() == [3, 4, 8191, 8192, 8193]
    assert found["case_id"].to_list() == ["c3", "c4", "c8191", "c8192", "c8193"]


def test_a_dataset_is_stored_once_per_content_and_leaves_no_staging(tmp_path):
    store = Store(str(tmp_path))
    for _ in range(2):
        store.put_dataset([cases(3)], lambda: "hash")

    assert [path.name for path in (tmp_path / "datasets").iterdir()] == ["hash"]


def test_a_dataset_that_fails_half_way_leaves_nothing(tmp_path):
    def batches():
        yield cases(3)
        raise ConfigError("line 4 is bad")

    store = Store(str(tmp_path))
    with pytest.raises(ConfigError):
        store.put_dataset(batches(), lambda: "hash")

    assert list((tmp_path / "datasets").iterdir()) == []


def test_launches_read_back_oldest_first(store):
    for launch in (SECOND, FIRST):
        store.beat(RUN, Heartbeat(launch, NOW, "host", 1))

    assert list(store.heartbeats(RUN)) == [FIRST, SECOND]


def test_a_summary_is_read_only_for_the_launch_that_wrote_it(store):
    frame = pl.DataFrame({"metric": ["m"]})
    store.put_summary(RUN, FIRST, frame)

    assert store.read_summary(RUN, FIRST).equals(frame)
    assert store.read_summary(RUN, SECOND) is None


def test_a_damaged_manifest_is_named_with_what_is_wrong(tmp_path):
    store = Store(str(tmp_path))
    store.create_run(manifest())
    (tmp_path / "runs" / RUN / "manifest.json").write_text('{"run_id": 3}')

    with pytest.raises(StoreError, match=r"manifest\.json is damaged: run_id"):
        store.read_manifest(RUN)


def test_a_store_in_a_place_that_is_a_file_is_one_clear_error(tmp_path):
    (tmp_path / "store").write_text("a file")

    with pytest.raises(StoreError, match=r"store: .*store/runs.*Not a directory"):
        Store(str(tmp_path / "store")).create_run(manifest())


def test_a_store_where_nothing_can_be_written_is_one_clear_error():
    with pytest.raises(StoreError, match="check the disk's space and permissions"):
        Store("/proc/ragproof").create_run(manifest())


def test_a_failed_write_leaves_no_file_behind(tmp_path):
    store = Store(str(tmp_path))
    store.create_run(manifest())
    parts = tmp_path / "runs" / RUN / "parts"
    parts.mkdir()
    (parts / str(part(FIRST))).mkdir()  # a folder stands where the part should go

    with pytest.raises(StoreError):
        put(store, part(FIRST), (0, 2, "ok"))
    assert [path.name for path in parts.iterdir()] == [str(part(FIRST))]


def test_a_uri_of_no_filesystem_is_a_config_error():
    with pytest.raises(ConfigError, match="store 'nosuch://x' cannot be opened"):
        Store("nosuch://x")


def test_a_folder_with_the_signs_of_a_pattern_is_only_a_name(tmp_path):
    store = Store(str(tmp_path / "a[1]*b?"))
    store.create_run(manifest())
    put(store, part(FIRST), (0, 2, "ok"))
    store.put_dataset([cases(3)], lambda: "hash")

    assert rows(store) == [(0, "ok")]
    assert next(store.read_cases("hash", (range(3),))).height == 3


def test_a_damaged_sign_of_life_is_as_good_as_none(tmp_path):
    store = Store(str(tmp_path))
    store.create_run(manifest())
    store.beat(RUN, Heartbeat(FIRST, NOW, "host", 1))
    (tmp_path / "runs" / RUN / "launches" / f"{SECOND}.alive").write_bytes(b"")

    assert list(store.heartbeats(RUN)) == [FIRST]


def test_files_that_others_leave_among_the_launches_are_passed_over(tmp_path):
    store = Store(str(tmp_path))
    store.create_run(manifest())
    put(store, part(FIRST), (0, 2, "ok"))
    close(store, FIRST)
    launches = tmp_path / "runs" / RUN / "launches"
    for name in (f"{FIRST} (conflicted copy).json", "notes.json", f"._{FIRST}.alive"):
        (launches / name).write_text("whatever")

    assert list(store.close_records(RUN)) == [FIRST]
    assert rows(store) == [(0, "ok")]


def test_a_damaged_summary_is_computed_again(tmp_path):
    store = Store(str(tmp_path))
    store.put_summary(RUN, FIRST, pl.DataFrame({"metric": ["m"]}))
    (tmp_path / "runs" / RUN / "summary.parquet").write_bytes(b"")

    assert store.read_summary(RUN, FIRST) is None


def test_a_damaged_copy_of_a_dataset_is_replaced_when_it_is_stored_again(tmp_path):
    store = Store(str(tmp_path))
    store.put_dataset([cases(3)], lambda: "hash")
    (tmp_path / "datasets" / "hash" / "000000.parquet").write_bytes(b"")
    store.put_dataset([cases(3)], lambda: "hash")

    assert next(store.read_cases("hash", (range(3),))).height == 3


def test_a_run_folder_with_another_name_says_so(tmp_path):
    store = Store(str(tmp_path))
    store.create_run(manifest())
    (tmp_path / "runs" / RUN).rename(tmp_path / "runs" / "renamed")

    with pytest.raises(StoreError, match=f"is the manifest of run {RUN}"):
        store.read_manifest("renamed")


def test_a_part_of_a_launch_older_than_the_best_close_record_does_not_count(store):
    put(store, part(SECOND), (0, 2, "ok"))
    close(store, SECOND)
    put(store, part(FIRST), (1, 2, "ok"))

    assert rows(store) == [(0, "ok")]


def test_staging_that_killed_drivers_left_is_removed_when_it_is_old(tmp_path):
    store = Store(str(tmp_path))
    for name, age_s in (("staging-old", 2 * 86_400), ("staging-new", 60)):
        folder = tmp_path / "datasets" / name
        folder.mkdir(parents=True)
        os.utime(folder, (time.time() - age_s,) * 2)
    store.put_dataset([cases(3)], lambda: "hash")

    assert sorted(path.name for path in (tmp_path / "datasets").iterdir()) == [
        "hash",
        "staging-new",
    ]
