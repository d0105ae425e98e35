/** Models of ONNX in a line of text, and what ONNX Runtime computes of them. */
@NullMarked
package dev.sublet.testing.onnx;

import org.jspecify.annotations.NullMarked;
