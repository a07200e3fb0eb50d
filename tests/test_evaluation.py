import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pytest

import ragproof_ray
from ragproof_ray import ConfigError, Evaluation, evaluate
from ragproof_ray.config import config_from_mapping


def test_the_package_exports_exactly_these_names():
    assert ragproof_ray.__all__ == [
        "ConfigError",
        "Evaluation",
        "ExecutionError",
        "RagproofError",
        "Skip",
        "__version__",
        "evaluate",
    ]


@pytest.mark.parametrize("name", ragproof_ray.__all__)
def test_every_exported_name_can_be_had(name):
    assert getattr(ragproof_ray, name) is not None


def test_a_name_that_is_not_exported_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'evaluat'"):
        ragproof_ray.evaluat  # noqa: B018 - the look-up is what is tested


def mean_of(evaluation, metric):
    return evaluation.summary.row(by_predicate=pl.col("metric") == metric, named=True)[
        "mean"
    ]


@pytest.mark.parametrize("form", ["mapping", "path", "text", "config"])
def test_a_config_may_be_a_mapping_a_path_or_a_validated_one(project, form):
    path = project.write_config()
    forms = {
        "mapping": project.config,
        "path": path,
        "text": str(path),
        "config": config_from_mapping(project.config),
    }

    evaluation = evaluate(forms[form])

    assert isinstance(evaluation, Evaluation)
    assert evaluation.status == "completed"
    # The one relevant chunk comes first, alone: 1 hit over k = 5.
    assert mean_of(evaluation, "retrieval.mrr") == 1.0
    assert mean_of(evaluation, "retrieval.precision_at_k") == 0.2


def test_cases_is_lazy_and_has_one_row_a_case(project):
    project.cases(*({"id": f"c{n}", "question": "q"} for n in range(7)))

    cases = evaluate(project.config).cases()

    assert isinstance(cases, pl.LazyFrame)
    assert cases.select("ordinal").collect()["ordinal"].sort().to_list() == list(
        range(7)
    )


def test_the_run_can_be_shown_by_its_id(project):
    evaluation = evaluate(project.config)

    code, out, _ = project.command("show", evaluation.run_id)

    assert code == 0
    assert evaluation.run_id in out


def test_it_works_inside_a_running_event_loop(project):
    async def notebook_cell():
        return evaluate(project.config)

    assert asyncio.run(notebook_cell()).status == "completed"


def test_it_works_outside_the_main_thread(project):
    found = []
    thread = threading.Thread(target=lambda: found.append(evaluate(project.config)))

    thread.start()
    thread.join()

    assert [evaluation.status for evaluation in found] == ["completed"]


def test_two_threads_may_evaluate_at_once(project):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(evaluate(project.config).run_id))
        for _ in range(2)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(found)) == 2


def test_workers_stands_over_the_config_and_leaves_it_as_it_was(project):
    config = config_from_mapping(project.config | {"run": {"workers": 2}})

    evaluation = evaluate(config, workers=0)

    assert evaluation.status == "completed"
    assert config.run.workers == 2


@pytest.mark.parametrize("workers", [-1, "many", 1.5, None])
def test_workers_is_checked(project, workers):
    with pytest.raises(ConfigError, match=r"run\.workers: got"):
        evaluate(project.config, workers=workers)


def test_a_missing_file_is_a_config_error():
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: cannot be read"):
        evaluate(Path("nowhere.yaml"))


def test_a_bad_environment_variable_is_a_config_error(project, monkeypatch):
    monkeypatch.setenv("RAGPROOF_MAX_COST_USD", "much")

    with pytest.raises(ConfigError, match="RAGPROOF_MAX_COST_USD: got 'much'"):
        evaluate(project.config)


def test_a_configured_judge_that_this_version_lacks_is_one_warning(
    project, monkeypatch
):
    monkeypatch.setenv("RAGPROOF_JUDGE_MODEL", "some-model")

    with pytest.warns(UserWarning, match="this version has no judge yet") as warned:
        evaluate(project.config)

    assert len(warned) == 1


def test_failed_cases_are_rows_and_no_exception(project):
    project.pipeline(
        """
        class Pipeline:
            def answer(self, question):
                raise ValueError("no index")
        """
    )

    evaluation = evaluate(project.config)

    row = evaluation.cases().collect().row(0, named=True)
    assert evaluation.status == "completed"
    assert (row["status"], row["error"]) == ("error", "ValueError: no index")


def test_a_run_that_cannot_go_on_is_an_execution_error(project):
    project.pipeline(
        """
        import asyncio

        class Pipeline:
            async def answer(self, question):
                asyncio.get_running_loop().call_soon(self.leave)
                await asyncio.Event().wait()

            def leave(self):
                raise SystemExit(3)
        """
    )
    project.write_config()
    code = """
from ragproof_ray import ExecutionError, evaluate
try:
    evaluate("ragproof.yaml")
except ExecutionError as error:
    print(error)
"""

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith("the pipeline ended the event loop")
