"""Whether what a program holds grows in a long run: of rows that were taken at equal intervals, the last quarter beside the second.
The first quarter is left out, since programs fill their pools then. Used by mesh.py --soak and bench/python_soak.py."""
import statistics

FEWEST = 8  # rows: two in each quarter


def growth(rows, most):
    """Of rows with columns, and what each column may grow by as a factor (`most`): a row for each column with its medians and whether
    it has grown. None when there are fewer than FEWEST rows, which say nothing."""
    if len(rows) < FEWEST:
        return None
    quarter, verdicts = len(rows) // 4, []
    for name, factor in most.items():
        before = statistics.median(row[name] for row in rows[quarter:2 * quarter])
        after = statistics.median(row[name] for row in rows[-quarter:])
        verdicts.append({"what": name, "second quarter": before, "last quarter": after, "grown": after > before * factor})
    return verdicts
