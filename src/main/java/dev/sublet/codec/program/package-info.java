/**
 * Programs and models: protobuf binary, protobuf text and JSON.
 *
 * <p>In go bytes; out comes a {@link dev.sublet.program.Program}. {@link
 * dev.sublet.codec.program.InputKind} finds the form from the content. Invariant: a binary file is
 * written back byte for byte.
 */
@NullMarked
package dev.sublet.codec.program;

import org.jspecify.annotations.NullMarked;
