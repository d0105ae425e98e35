/**
 * Where the values of a run lie: scopes of named cells, or bytes of an arena.
 *
 * <p>A {@link dev.sublet.runtime.memory.Memory} gives an operator its inputs and takes its outputs.
 * {@code NamedMemory} keeps a tensor per name; {@code ArenaMemory} keeps values where an offset
 * plan places them.
 *
 * <p>Invariant: in an arena, bytes that nothing has written are poison, and an operator's outputs
 * are poisoned before its inputs are read, unless the plan lets them share.
 */
@NullMarked
package dev.sublet.runtime.memory;

import org.jspecify.annotations.NullMarked;
