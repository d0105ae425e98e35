"""The part of numpy that the documents' programs use."""

import array
import math


class ndarray:
    def __init__(self, shape, data):
        self.shape = shape
        self.data = data


def ones(shape, dtype):
    if dtype != "float32":
        raise TypeError(dtype)
    return ndarray(tuple(shape), array.array("f", [1.0]) * math.prod(shape))
