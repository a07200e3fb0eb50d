"""A Ray cluster of three nodes on this machine; loses one when told to.

Prints the address when it is up. A line on standard input kills a node without grace
and prints `lost`; the end of the input ends the cluster.
"""

import sys
from typing import Any

from ray.cluster_utils import Cluster

SMALL: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}


def main() -> None:
    """Start, obey, end."""
    cluster = Cluster(
        initialize_head=True, head_node_args={**SMALL, "include_dashboard": False}
    )
    victim = cluster.add_node(**SMALL)
    cluster.add_node(**SMALL)
    sys.stdout.write(f"address {cluster.address}\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        assert victim.any_processes_alive()
        cluster.remove_node(victim, allow_graceful=False)
        sys.stdout.write("lost\n")
        sys.stdout.flush()
    cluster.shutdown()


main()
