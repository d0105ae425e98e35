/** ONNX models as one line of text each, and the results that ONNX Runtime computes for them. */
@NullMarked
package dev.sublet.testing.onnx;

import org.jspecify.annotations.NullMarked;
