"""The pipeline of the scaling benchmark: it waits 50 ms for a service."""

import asyncio


class Pipeline:
    """Answers after its latency."""

    async def answer(self, question: str) -> dict[str, object]:
        """Return an answer."""
        await asyncio.sleep(0.05)
        return {"answer_text": question}
