from ragproof_ray.engine.attempt_log import AttemptLog, suspects


def test_suspects_are_the_cases_that_started_and_did_not_end(tmp_path):
    log = AttemptLog(tmp_path / "logs" / "attempt")
    for ordinal in (3, 1, 4_000_000_000):
        log.started(ordinal)
    log.ended(1)

    assert suspects(str(tmp_path / "logs" / "attempt")) == [3, 4_000_000_000]


def test_a_torn_last_line_is_ignored(tmp_path):
    log = AttemptLog(tmp_path / "attempt")
    log.started(3)
    log.started(7)
    log.close()
    path = tmp_path / "attempt"
    path.write_bytes(path.read_bytes()[:-2])

    assert suspects(str(path)) == [3]


def test_a_node_without_the_log_knows_no_suspect(tmp_path):
    assert suspects(str(tmp_path / "attempt")) == []
