"""Write a certificate without conjunct: ``python3 write_certificate.py TABLE.csv DEPTH > CERTIFICATE``.

TABLE.csv has a header, columns of 0 and 1, and the label last. The tree with the least leaves + errors of at most that
depth is found by plain recursion, so the table should be small; what matters is the file, docs/certificate-format.md.
Check it with ``python3 checker.py CERTIFICATE TABLE.csv``.
"""

import csv
import hashlib
import json
import sys


def main(path, depth):
    with open(path, newline="") as file:
        names, *records = csv.reader(file)
    classes = sorted({record[-1] for record in records})
    bits = [record[:-1] for record in records]
    labels = [classes.index(record[-1]) for record in records]
    n_tests = len(names) - 1

    def errors(rows):  # of one leaf: all rows but those of the largest class
        return len(rows) - max(sum(labels[i] == k for i in rows) for k in range(len(classes)))

    def forced(rows):  # equal rows of different classes
        cells = {}
        for i in rows:
            cells.setdefault(tuple(bits[i]), []).append(i)
        return sum(map(errors, cells.values()))

    def trivial(rows):
        return min(1 + errors(rows), 2 + forced(rows))

    def splits(rows):  # the lowest test of those that split the rows into the same two parts
        parts = {}
        for j in range(n_tests):
            one = frozenset(i for i in rows if bits[i][j] == "1")
            if one and one != rows and one not in parts and rows - one not in parts:
                parts[one] = j
        return [(j, one, rows - one) for one, j in parts.items()]

    best_trees = {}

    def best(rows, d):  # the cheapest tree: its cost, and its nodes in preorder
        if (rows, d) not in best_trees:
            counts = [sum(labels[i] == k for i in rows) for k in range(len(classes))]
            options = [(1 + errors(rows), [-1 - counts.index(max(counts))])]
            for j, one, rest in splits(rows) if d else []:
                (cost_1, tree_1), (cost_0, tree_0) = best(one, d - 1), best(rest, d - 1)
                options.append((cost_1 + cost_0, [j, *tree_1, *tree_0]))
            best_trees[rows, d] = min(options, key=lambda option: option[0])
        return best_trees[rows, d]

    lemmas, proved, work = [], set(), {"pairs": 0, "splits": 0}

    def prove(rows, d, path):  # every tree of depth d costs at least best(rows, d) on these rows
        value = best(rows, d)[0]
        if path and (trivial(rows) >= value or d == 0 or (rows, d) in proved):
            return
        parts = splits(rows)
        if d <= 2:  # by pair counts, of first tests that the trivial bounds leave open
            n_counted = sum(trivial(one) + trivial(rest) < value for _, one, rest in parts)
            work["pairs"] += n_counted * len(parts) if d == 2 else 0
        else:  # by what was proved about the two parts of every first test
            for j, one, rest in parts:
                prove(one, d - 1, {**path, j: 1})
                prove(rest, d - 1, {**path, j: 0})
            work["splits"] += len(parts)
        literals = [str(2 * j + side) for j, side in sorted(path.items())]
        lemmas.append(" ".join(["E" if d <= 2 else "N", str(d), str(value), *literals]))
        proved.add((rows, d))

    everything = frozenset(range(len(bits)))
    cost, tree = best(everything, depth)
    if depth and cost > trivial(everything):
        prove(everything, depth, {})
    elif depth:
        cost = trivial(everything)
    compact = {"separators": (",", ":")}
    rows = [f"{''.join(row)} {label}\n" for row, label in zip(bits, labels, strict=True)]
    text = f"{len(rows)} {n_tests}\n{json.dumps(names[:-1], **compact)}\n{''.join(rows)}"
    reading = {"format": "delimited", "delimiter": ",", "header": True, "label": n_tests}
    reading |= {"missing": [], "skip_unlabelled": False}
    header = {"format": "conjunct certificate 1", "kind": "tree", "rows": len(rows), "classes": classes}
    header |= {"tests": [[name, j, "one", ""] for j, name in enumerate(names[:-1])], "reading": reading}
    header |= {"literals": "both", "depth": depth, "price": "1", "row_costs": None, "cost_matrix": None}
    header |= {"min_samples_leaf": 1, "digest": hashlib.sha256(text.encode()).hexdigest()}
    header |= {"lower": str(cost), "upper": str(best(everything, depth)[0]), "witness": tree}
    print(json.dumps(header, **compact), *lemmas, f"end {len(lemmas)} {work['pairs']} {work['splits']}", sep="\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
