"""The pipeline under the benchmarks: five chunks of real-looking text, no waiting."""

import random

WORDS = """
the of and to in is that for it as was with be by on not he his but at are this have
from or had an they which one you were all her she there would their we him been has
when who will no more if out so up said what its about than into them can only other
time new some could these two may first then do any like my now over
""".split()  # noqa: SIM905 - a list of eighty literals is no better to read


def passage(source: random.Random, characters: int = 200) -> str:
    """Return text of about the given length, drawn from a word list."""
    text = " ".join(source.choices(WORDS, k=characters // 4))
    return text[:characters]


class Pipeline:
    """Answers at once; the same reply for the same question."""

    def __init__(self) -> None:
        source = random.Random(20)
        self._passages = [passage(source) for _ in range(1000)]

    async def retrieve(self, question: str, k: int) -> list[dict[str, object]]:
        """Return five chunks, the expected one somewhere among them."""
        number = int(question.split()[1])
        return [
            {
                "id": f"doc-{number + step}",
                "text": self._passages[(number + step) % 1000],
                "score": 1.0 / (step + 1),
            }
            for step in (0, 3, 1, 7, 2)
        ]

    async def answer(self, question: str) -> dict[str, object]:
        """Return an answer that cites two of the chunks."""
        number = int(question.split()[1])
        return {
            "answer_text": self._passages[number % 1000],
            "citations": [
                {"chunk_id": f"doc-{number}"},
                {"chunk_id": f"doc-{number + 1}"},
            ],
        }
