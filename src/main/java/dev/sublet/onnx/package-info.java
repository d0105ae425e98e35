/**
 * ONNX models as programs.
 *
 * <p>In goes a {@code ModelProto}; out comes an {@link dev.sublet.onnx.OnnxModel}: a {@link
 * dev.sublet.program.Program} with the same values, in which {@code If}, {@code Loop} and {@code
 * Scan} are blocks with the control operators that the analyses know, functions are written out,
 * initializers and constants are persistable; and a list of which value is which variable, so that
 * a plan can be written back as an annotation of the model.
 *
 * <p>Invariant: a value is one variable with a name that no other has, of the type that the model
 * declares or that follows from its operator; whatever cannot be translated is refused by name.
 * Weights are not looked at, but for small constants that decide shapes; external data is never
 * loaded.
 *
 * <p>Source: {@code onnx.proto} (IR version 13), and ONNX's IR and operator specifications.
 */
@NullMarked
package dev.sublet.onnx;

import org.jspecify.annotations.NullMarked;
