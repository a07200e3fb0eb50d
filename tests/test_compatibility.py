"""An existing ragproof project runs unchanged and gives the numbers it gave before.

The expectations are what ragproof 1.0.0 printed for this project. Only refusals that
both heuristics know, and only input that both accept, are in it.
"""

import pytest

PIPELINE = """
import asyncio

from pydantic import BaseModel

ANSWERS = (
    "The limit is {n}.",
    "  The limit is {n}.\\n",
    "I don't know.",
    "I'm sorry, but I cannot answer that based on the provided context.",
    "Of course: {word}. The limit is {n}.",
    "the limit is {n} and the word is zebra-crossing",
    "There is no information about the limit of {n}.",
    "The limit was raised to {n} last year, see the handbook.",
    "Visit https://promo.invalid/{n} or https://EXFIL.invalid/?q={n} for more.",
)
ATTACKED = (0, 4, 5, 8)
WORDS = (
    "RAGPROOF_OVERRIDE", "exfil.INVALID", "MEOWCONFIRM", "zzz-fake-999", "SystemLeak",
    "BuyAcmeRival", "promo.invalid", "ZEBRA", "limit is 6", "nothing",
)


def chunks_for(question):
    n = int(question.split()[-1])
    found = [
        {
            "id": f"d{(n + 3 * step) % 20}",
            "text": f"passage {step}",
            "score": 1 / (1 + step),
            "metadata": {"document_id": f"doc{(n + 3 * step) % 20 // 3}"} if step % 3 else {},
        }
        for step in range(n % 8)
    ]
    return [*found[:2], *found[:1], *found[2:]] if n % 5 == 0 else found


def answer_for(question):
    n = int(question.split()[-1])
    if n == 50:
        raise ValueError("index is closed")
    which = ATTACKED[n // 4 % 4] if n % 4 == 3 else n % 9
    cited = [f"d{(n + 3 * step) % 20}" for step in range(0, n % 4 * 2, 2)]
    return {
        "answer_text": ANSWERS[which].format(n=n, word=WORDS[n // 4 % 10]),
        "citations": [{"chunk_id": name} for name in [*cited, *cited[:1]]],
        "retrieved_chunks": chunks_for(f"{n + 1}") if n % 3 == 1 else [],
    }


class Sync:
    def retrieve(self, question, k):
        return chunks_for(question)

    def answer(self, question):
        return answer_for(question)


class AsyncFunctions:
    async def retrieve(self, question, k):
        await asyncio.sleep(0)
        return tuple(chunks_for(question))

    async def answer(self, question):
        await asyncio.sleep(0)
        return answer_for(question)


class Generators(Sync):
    def retrieve(self, question, k):
        yield from chunks_for(question)


class Chunk(BaseModel):
    id: str
    text: str = ""
    score: float | None = None
    metadata: dict = {}


class Citation(BaseModel):
    chunk_id: str


class Answer(BaseModel):
    answer_text: str
    citations: list[Citation] = []
    retrieved_chunks: list[Chunk] = []


class Models:
    def retrieve(self, question, k):
        return [Chunk(**chunk) for chunk in chunks_for(question)]

    def answer(self, question):
        return Answer(**answer_for(question))


class AnswersOnly:
    def answer(self, question):
        return answer_for(question)


class RetrievesOnly:
    def retrieve(self, question, k):
        return chunks_for(question)[:k]


def factory():
    return Sync()


ready = Sync()
"""
KINDS = ("qa", "qa", "unanswerable", "injection")
PAYLOADS = (
    "instruction_override",
    "exfiltration_url",
    "tone_hijack",
    "citation_spoof",
    "system_prompt_fishing",
    "competitor_steering",
    "link_bait",
    "zebra",
    "limit is 6",
    None,
)
UNJUDGED = (
    "generation.answer_relevance",
    "generation.citation_support",
    "generation.completeness",
    "generation.groundedness",
)

# metric: mean, p50, p95, scored, skipped, errors
BY_CHUNK = {
    "echo.exact_match": (0.17073170731707318, 0.0, 1.0, 41, 22, 1),
    **dict.fromkeys(UNJUDGED, (None, None, None, 0, 63, 1)),
    "generation.citation_validity": (0.6382978723404256, 1.0, 1.0, 47, 16, 1),
    "retrieval.mrr": (0.8125, 1.0, 1.0, 48, 15, 1),
    "retrieval.ndcg_at_k": (0.6488629946568351, 0.7653606369886217, 1.0, 48, 15, 1),
    "retrieval.precision_at_k": (0.27499999999999997, 0.2, 0.6, 48, 15, 1),
    "retrieval.recall_at_k": (0.5954861111111112, 0.6666666666666666, 1.0, 48, 15, 1),
    "robustness.abstention": (0.3333333333333333, 0.0, 1.0, 15, 48, 1),
    "robustness.injection_resistance": (0.7333333333333333, 1.0, 1.0, 15, 48, 1),
    "robustness.overrefusal": (0.3125, 0.0, 1.0, 32, 31, 1),
}
BY_DOCUMENT = BY_CHUNK | {
    "retrieval.mrr": (0.826388888888889, 1.0, 1.0, 48, 15, 1),
    "retrieval.ndcg_at_k": (0.5306691823058268, 0.6131471927654584, 1.0, 48, 15, 1),
    "retrieval.precision_at_k": (
        0.31250000000000017,
        0.3333333333333333,
        0.6666666666666666,
        48,
        15,
        1,
    ),
    "retrieval.recall_at_k": (0.4461805555555556, 0.5, 1.0, 48, 15, 1),
}
NOT_RETRIEVED = (None, None, None, 0, 63, 1)
WITHOUT_RETRIEVE = BY_CHUNK | {
    "generation.citation_validity": (0.0, 0.0, 0.0, 13, 50, 1),
    "retrieval.mrr": NOT_RETRIEVED,
    "retrieval.ndcg_at_k": NOT_RETRIEVED,
    "retrieval.precision_at_k": NOT_RETRIEVED,
    "retrieval.recall_at_k": NOT_RETRIEVED,
}
WITHOUT_ANSWER = dict.fromkeys(BY_CHUNK, (None, None, None, 0, 64, 0)) | {
    "retrieval.mrr": (0.8163265306122449, 1.0, 1.0, 49, 15, 0),
    "retrieval.ndcg_at_k": (0.6560290559903691, 0.7653606369886217, 1.0, 49, 15, 0),
    "retrieval.precision_at_k": (0.273469387755102, 0.2, 0.6, 49, 15, 0),
    "retrieval.recall_at_k": (0.6037414965986395, 0.6666666666666666, 1.0, 49, 15, 0),
}


def mixed_cases():
    for n in range(64):
        case: dict[str, object] = {"id": f"c{n}"}
        case["question"] = f"What is the limit of {n}"
        if KINDS[n % 4] != "qa":
            case["kind"] = KINDS[n % 4]
        if n % 3:
            case["expected_answer"] = f"The limit is {n}."
        if n % 7:
            chunks = [f"d{(n + step * 3) % 20}" for step in range(n % 7 % 4)]
            documents = [f"doc{n % 7}"] if n % 2 else []
            case["expected_source_ids"] = [*chunks, *documents]
        if case.get("kind") == "injection":
            case["adversarial_payload"] = PAYLOADS[n // 4 % 10]
        yield case


@pytest.fixture
def numbers(project):
    project.cases(*mixed_cases())
    project.pipeline(PIPELINE)

    def evaluate(target, **run):
        project.write_config(
            store=".ragproof/ragproof.db",
            run={"concurrency": 3, **run},
            adapter={"type": "python", "target": f"{project.module}:{target}"},
        )
        document = project.run_json("--workers", "0")
        names = ("mean", "p50", "p95", "scored", "skipped", "errors")
        return {
            row["metric"]: tuple(row[name] for name in names)
            for row in document["metrics"]
        }

    return evaluate


def assert_equal(found, expected):
    """Compare exactly, but for the last digit of means: they are summed otherwise."""
    assert list(found) == sorted(expected)
    for metric, (mean, *others) in expected.items():
        assert found[metric][0] == pytest.approx(mean, abs=1e-15), metric
        assert list(found[metric][1:]) == others, metric


@pytest.mark.parametrize(
    "target", ["Sync", "AsyncFunctions", "Generators", "Models", "factory", "ready"]
)
def test_chunks_are_matched_as_before_whatever_the_shape_of_the_pipeline(
    numbers, target
):
    assert_equal(numbers(target), BY_CHUNK)


def test_documents_are_matched_as_before(numbers):
    assert_equal(numbers("Sync", k=3, source_match="document"), BY_DOCUMENT)


def test_a_pipeline_that_only_answers_is_scored_as_before(numbers):
    assert_equal(numbers("AnswersOnly"), WITHOUT_RETRIEVE)


def test_a_pipeline_that_only_retrieves_is_scored_as_before(numbers):
    assert_equal(numbers("RetrievesOnly"), WITHOUT_ANSWER)


def test_the_json_has_every_key_that_scripts_rely_on(project):
    document = project.run_json()

    assert {
        "run_id",
        "status",
        "total_cases",
        "ok",
        "errors",
        "timeouts",
        "cost_usd",
        "judge_model",
        "metrics",
    } <= set(document)
    assert {"metric", "mean", "p50", "p95", "scored", "skipped", "errors"} <= set(
        document["metrics"][0]
    )
    assert (document["cost_usd"], document["judge_model"]) == (0, None)


def test_dotted_store_names_of_database_files_mean_folders(project):
    project.write_config(store=".ragproof/ragproof.db")

    project.run_json()

    assert (project.folder / ".ragproof" / "ragproof" / "runs").is_dir()


def test_max_concurrency_enters_the_configs_hash(project, monkeypatch):
    before = project.run_json()["config_hash"]
    monkeypatch.setenv("RAGPROOF_MAX_CONCURRENCY", "7")

    after = project.run_json()["config_hash"]

    assert after == project.run_json("--set", "run.concurrency=2")["config_hash"]
    assert after != before
