"""Symmetric positive definite systems of equations, for as many unknowns as there are skills."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from operator import mul
from typing import NamedTuple

Matrix = list[list[float]]


class Factor(NamedTuple):
    """A matrix as the product of a lower triangle and its transpose (Cholesky).

    Both are kept by rows, as far as they are not 0, so that each step is one sum of products.
    """

    lower: Matrix
    upper: Matrix


def factored(matrix: Sequence[Sequence[float]]) -> Factor:
    """Factor a matrix, of which only the lower half is read. Raises ValueError if it has none."""
    lower: Matrix = []
    for at, given in enumerate(matrix):
        row: list[float] = []
        for column in range(at):
            known = lower[column]
            row.append((given[column] - _dot(row, known)) / known[column])
        square = given[at] - _dot(row, row)
        if square <= 0:
            raise ValueError("the matrix is not positive definite")
        row.append(sqrt(square))
        lower.append(row)
    size = len(lower)
    upper = [[lower[row][column] for row in range(column, size)] for column in range(size)]
    return Factor(lower, upper)


def solved(factor: Factor, right: Sequence[float]) -> list[float]:
    """The vector that the factored matrix turns into `right`."""
    forward: list[float] = []
    for row, value in zip(factor.lower, right, strict=True):
        forward.append((value - _dot(forward, row)) / row[-1])
    size = len(forward)
    found = [0.0] * size
    for at in range(size - 1, -1, -1):
        row = factor.upper[at]
        found[at] = (forward[at] - _dot(row[1:], found[at + 1 :])) / row[0]
    return found


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of products as far as the shorter one goes."""
    return float(sum(map(mul, one, other)))
