"""Work of several processes, in order."""

from concurrent.futures import ProcessPoolExecutor


def in_turn(work, tasks, workers):
    """What `work` makes of each task, in the order of the tasks, several at once. An error ends
    all of them."""
    if workers == 1:
        yield from map(work, tasks)
        return
    with ProcessPoolExecutor(workers) as pool:
        try:
            yield from pool.map(work, tasks)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
