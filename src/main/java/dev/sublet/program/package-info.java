/**
 * A ProgramDesc as immutable values: {@link dev.sublet.program.Program}, its blocks, operators and
 * variables.
 *
 * <p>{@code Program.of} turns a parsed protobuf message into a program in which every name is
 * resolved: each declared variable has a dense index, and each operator's arguments are such
 * indices. {@link dev.sublet.program.ProgramEditor} makes a changed copy. Only this package, {@code
 * codec} and {@code onnx} use the generated protobuf classes.
 *
 * <p>Invariant: a {@code Program} is well formed. Its blocks form a forest, every block index
 * exists and every name resolves; {@code Program.of} throws otherwise. A program contains no
 * analysis results.
 *
 * <p>Source: Paddle's {@code framework.proto} and the scope rules of its executors (variables are
 * looked up in the block, then breadth first in its forward block and its parent).
 */
@NullMarked
package dev.sublet.program;

import org.jspecify.annotations.NullMarked;
