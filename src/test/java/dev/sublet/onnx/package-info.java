/** Tests of the translation of ONNX models, with an evaluator of models as the oracle. */
@NullMarked
package dev.sublet.onnx;

import org.jspecify.annotations.NullMarked;
