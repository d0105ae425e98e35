/**
 * Reads and writes programs and ONNX models as protobuf binary, protobuf text and JSON.
 *
 * <p>A reader turns bytes into a {@link dev.sublet.program.Program}; {@link
 * dev.sublet.codec.program.InputKind} and {@link dev.sublet.codec.program.Content} find the form
 * from the content. Invariant: a binary file is written back byte for byte.
 */
@NullMarked
package dev.sublet.codec.program;

import org.jspecify.annotations.NullMarked;
