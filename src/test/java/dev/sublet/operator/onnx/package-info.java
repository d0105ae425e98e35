/** Tests of the rules of ONNX's operators, with ONNX Runtime as the oracle. */
@NullMarked
package dev.sublet.operator.onnx;

import org.jspecify.annotations.NullMarked;
