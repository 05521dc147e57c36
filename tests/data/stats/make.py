#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes reference.txt: values that the C code must reproduce, worked out another way and
with nothing but Python's own library. Run it here after a change and commit what it wrote.

Student's t: the finite trigonometric sums of Abramowitz and Stegun 26.7.3 and 26.7.4, which
hold for whole degrees of freedom, and bisection. Permutation tests: every vector of signs,
every split of the ranks, counted."""
import itertools
import math
import os
import random


def t_between(t, df):
    """The chance of a value between -t and t."""
    theta = math.atan(t / math.sqrt(df))
    c, s = math.cos(theta), math.sin(theta)
    if df % 2:
        term = total = c
        for k in range(3, df - 1, 2):
            term *= c * c * (k - 1) / k
            total += term
        return 2 / math.pi * (theta + (s * total if df > 1 else 0))
    term = total = 1.0
    for k in range(2, df - 1, 2):
        term *= c * c * (k - 1) / k
        total += term
    return s * total


def t_quantile(p, df):
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        if t_between(middle, df) < 2 * p - 1:
            low = middle
        else:
            high = middle
    return low


def flip_p(values):
    seen = abs(sum(values))
    signs = list(itertools.product((1, -1), repeat=len(values)))
    return sum(abs(sum(s * v for s, v in zip(sign, values))) >= seen - 1e-9
               for sign in signs) / len(signs)


def step_down(families):
    """Westfall and Young's step-down maximum, from its definition."""
    def statistic(values, sign):
        return (abs(sum(s * v for s, v in zip(sign, values)))
                / math.sqrt(sum(v * v for v in values)))

    n = len(families[0])
    signs = list(itertools.product((1, -1), repeat=n))
    seen = [statistic(f, (1,) * n) for f in families]
    order = sorted(range(len(families)), key=lambda k: -seen[k])
    p, least = [0.0] * len(families), 0.0
    for rank, k in enumerate(order):
        extreme = sum(max(statistic(families[j], sign) for j in order[rank:]) >= seen[k] - 1e-9
                      for sign in signs)
        least = max(least, extreme / len(signs))
        p[k] = least
    return p


def mann_whitney(a, b):
    pooled = sorted(a + b)
    u = min(sum(x > y for x in a for y in b), sum(x < y for x in a for y in b))
    count = total = 0
    for chosen in itertools.combinations(range(len(pooled)), len(a)):
        rank_sum = sum(chosen) + len(a)
        other = rank_sum - len(a) * (len(a) + 1) // 2
        total += 1
        count += other <= u
    return min(1.0, 2 * count / total)


def words(values):
    return " ".join(f"{v:.6f}" for v in values)


def main():
    draw = random.Random(2006)
    lines = []
    for df in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 19, 29, 60, 119, 999):
        lines += [f"t {df} {p} {t_quantile(p, df):.9f}" for p in (0.8, 0.9, 0.95, 0.975, 0.995)]
    for n in range(1, 13):
        for shift in (0, 0.5, 1.5):
            values = [float(f"{draw.gauss(shift, 1):.6f}") for _ in range(n)]
            lines.append(f"flip {n} {flip_p(values):.9f} {words(values)}")
    for n, m in ((6, 2), (8, 3), (8, 5), (10, 4)):
        families = [[float(f"{draw.gauss(1.2 * (k == 0), 1):.6f}") for _ in range(n)]
                    for k in range(m)]
        lines.append(f"step {n} {m} {words(step_down(families))} "
                     + " ".join(words(f) for f in families))
    for na, nb in ((3, 3), (4, 4), (5, 5), (6, 6), (4, 7), (1, 5)):
        for shift in (0, 1, 50):
            a = [float(f"{draw.gauss(0, 1):.6f}") for _ in range(na)]
            b = [float(f"{draw.gauss(shift, 1):.6f}") for _ in range(nb)]
            lines.append(f"mann {na} {nb} {mann_whitney(a, b):.9f} {words(a)} {words(b)}")
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.txt")
    with open(path, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")


main()
