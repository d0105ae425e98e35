/**
 * The memory of a run: scopes with named cells, whose tensors are objects or bytes of an arena.
 *
 * <p>A {@link dev.sublet.runtime.memory.Memory} reads an operator's inputs and writes its outputs.
 * {@code NamedMemory} has one tensor per instance of a variable; {@code ArenaMemory} places values
 * at the offsets of a memory plan.
 *
 * <p>Invariant: in an arena, bytes that nothing has written are poison, and an operator's outputs
 * are poisoned before its inputs are read, unless an output may legally share the bytes of an
 * input.
 */
@NullMarked
package dev.sublet.runtime.memory;

import org.jspecify.annotations.NullMarked;
