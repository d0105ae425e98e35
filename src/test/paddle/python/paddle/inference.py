"""The part of paddle.inference that the documents' programs use.

Each method has the name, the parameters and the defaults of Paddle's pybind11 declarations
(paddle/fluid/pybind/inference_api.cc), and calls the function of the library named there.
"""

import ctypes
import os

import numpy

_library = ctypes.CDLL(os.environ["PADDLE_BINDING"])
_library.config_new.restype = ctypes.c_void_p
_library.predictor_new.restype = ctypes.c_void_p
_library.predictor_has_input.restype = ctypes.c_bool
_library.predictor_run.restype = ctypes.c_bool
_library.predictor_first_output.restype = ctypes.c_size_t


class Config:
    def __init__(self, prog_file, params_file):
        self._config = ctypes.c_void_p(
            _library.config_new(prog_file.encode(), params_file.encode()))

    def enable_memory_optim(self, x=True):
        _library.config_enable_memory_optim(self._config, ctypes.c_bool(x))


class _InputTensor:
    def __init__(self, predictor, name):
        self._predictor = predictor
        self._name = name.encode()
        if not _library.predictor_has_input(predictor, self._name):
            raise KeyError(name)

    def copy_from_cpu(self, data):
        if not isinstance(data, numpy.ndarray):
            raise TypeError("In copy_from_cpu, we only support numpy ndarray")
        shape = (ctypes.c_int * len(data.shape))(*data.shape)
        values = (ctypes.c_float * len(data.data)).from_buffer(data.data)
        _library.predictor_set_input(
            self._predictor, self._name, shape, len(data.shape), values)


class Predictor:
    def __init__(self, config):
        self._predictor = ctypes.c_void_p(_library.predictor_new(config._config))

    def get_input_handle(self, name):
        return _InputTensor(self._predictor, name)

    def run(self):
        if not _library.predictor_run(self._predictor):
            raise RuntimeError("Run returned false")

    def _first_output(self):
        """Not of Paddle: the bytes of the first output, for the test."""
        count = _library.predictor_first_output(self._predictor, None)
        values = (ctypes.c_float * count)()
        _library.predictor_first_output(self._predictor, values)
        return bytes(values)


def create_predictor(config):
    return Predictor(config)
