"""Case data and results never pass through the driver."""

import pytest

from ragproof_ray.config import AdapterSection
from ragproof_ray.engine.dispatch import Dispatcher
from ragproof_ray.engine.plan import LaunchPlan, Progress
from ragproof_ray.metrics import ScoringParams

LIMIT = 64 * 2**10


class Watch:
    """A monitor that only looks on."""

    stopping = False

    def show(self, progress):
        pass


def plan(folder):
    return LaunchPlan(
        store=str(folder),
        run_id="run",
        launch="20260101T000000000000aaaaaa",
        launched_at=0.0,
        dataset_hash="d" * 64,
        content_hash="c" * 64,
        adapter=AdapterSection(type="python", target="a:b"),
        scoring=ScoringParams(5, "chunk"),
        user_metrics=("a.b",) * 20,
        case_timeout_s=60.0,
        store_context=True,
    )


@pytest.mark.ray
@pytest.mark.parametrize(
    "todo",
    [
        (range(1_000_000),),
        tuple(range(n, n + 1) for n in range(0, 60_000, 2)),
        tuple(range(n, n + 7) for n in range(0, 1_000_000, 50)),
    ],
    ids=["whole", "every second case", "scattered groups"],
)
def test_the_arguments_of_a_task_stay_below_64_kib(tmp_path, local_ray, todo):
    from ray import cloudpickle

    from ragproof_ray.engine.cluster import _Drive

    dispatcher = Dispatcher(todo, [512, 512], None, 2)
    drive = _Drive(plan(tmp_path), dispatcher, Watch())
    sizes = []
    while (shard := dispatcher.next_shard()) is not None:
        sizes.append(len(cloudpickle.dumps(drive._arguments(shard))))
        dispatcher.finish(shard)

    assert max(sizes) <= LIMIT
    assert len(sizes) > 10


@pytest.mark.ray
def test_what_a_task_returns_is_two_numbers(project, local_ray):
    import ray

    from ragproof_ray.engine import cluster
    from ragproof_ray.engine.plan import Shard
    from ragproof_ray.engine.store import Store

    project.cases(*({"id": f"c{n}", "question": "long " * 2000} for n in range(50)))
    project.run_json("--workers", "0")
    store = Store("store")
    manifest = store.read_manifest(store.run_ids()[0])
    launch = LaunchPlan(
        **{
            **{
                name: getattr(plan(project.folder / "store"), name)
                for name in LaunchPlan.__slots__
            },
            "content_hash": manifest.dataset.content_hash,
            "adapter": AdapterSection(
                type="python", target=f"{project.module}:Pipeline"
            ),
            "user_metrics": (),
        }
    )
    task = ray.remote(num_cpus=1, max_retries=0)(cluster._run_shard)
    shard = Shard((range(50),), 1, "attempt", 4)
    coordinator = cluster._start_coordinator()

    returned = ray.get(
        task.remote(
            launch,
            shard,
            coordinator,
            str(project.folder),
            str(project.folder / "logs"),
        )
    )

    assert returned == (50, 0)
    assert Progress(*returned).done == 50
