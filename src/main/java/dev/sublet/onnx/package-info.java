/**
 * Translates ONNX models into programs.
 *
 * <p>The input is a {@code ModelProto}; the result is an {@link dev.sublet.onnx.OnnxModel}: a
 * {@link dev.sublet.program.Program} and a map from the model's values to the program's variables,
 * so that a plan can be written back as an annotation of the model. In the program, {@code If},
 * {@code Loop} and {@code Scan} are control operators with blocks, of the kinds that the analyses
 * support; functions are inlined; initializers and constants are persistable variables.
 *
 * <p>Invariant: each value is one variable with a unique name. Its type is declared by the model or
 * follows from its operator. A model with a part that cannot be translated is rejected, and the
 * message names the part. Weights are not read, except for small constants, which may determine
 * shapes; external data is never loaded.
 *
 * <p>Source: {@code onnx.proto} (IR version 13), and ONNX's IR and operator specifications.
 */
@NullMarked
package dev.sublet.onnx;

import org.jspecify.annotations.NullMarked;
