/**
 * A ProgramDesc as immutable values: {@link dev.sublet.program.Program}, its blocks, operators and
 * variables.
 *
 * <p>In goes a parsed protobuf message; out comes a program whose every name is resolved: each
 * declared variable has a dense index, and each operator's arguments are such indices. A changed
 * copy is made with {@link dev.sublet.program.ProgramEditor}. Above this package and the codec
 * nobody sees a generated protobuf class.
 *
 * <p>Invariant: a {@code Program} is well formed. Its blocks form a forest, every block index
 * exists and every name resolves; {@code Program.of} throws otherwise. It holds no analysis result.
 *
 * <p>Source: Paddle's {@code framework.proto} and the scope rules of its executors (variables are
 * looked up in the block, then breadth first in its forward block and its parent).
 */
@NullMarked
package dev.sublet.program;

import org.jspecify.annotations.NullMarked;
