package dev.sublet.diff;

import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import java.util.List;

/**
 * Hash codes of the operators of a block, by which operators of two programs are paired, from weak
 * (types only) to strong (names included). Operators with different hash codes differ; paired
 * operators are compared in detail later.
 */
final class Tokens {

  private final Block block;
  private final UseDefinitions definitions;

  /** The basis of all hash codes except the types; computed once, since it takes the longest. */
  private final long[] shapes;

  Tokens(Block block, UseDefinitions definitions) {
    this.block = block;
    this.definitions = definitions;
    this.shapes = findShapes();
  }

  /** Hash codes of the types alone. */
  long[] types() {
    long[] tokens = new long[block.operations().size()];
    for (Operation operation : block.operations()) {
      tokens[operation.index()] = operation.type().hashCode();
    }
    return tokens;
  }

  /**
   * Hash codes of types, slots and attributes. The values of strings, which may be names, and of
   * blocks do not count.
   */
  long[] shapes() {
    return shapes.clone();
  }

  private long[] findShapes() {
    long[] tokens = types();
    for (Operation operation : block.operations()) {
      long token = tokens[operation.index()];
      token = mix(token, slots(operation.inputSlots(), /* withNames= */ false));
      token = mix(token, slots(operation.outputSlots(), /* withNames= */ false));
      long attributes = 0; // in any order
      for (Attribute attribute : operation.attributes()) {
        boolean isNameOnly = attribute.holdsStrings() || attribute.holdsBlocks();
        attributes += mix(attribute.name().hashCode(), isNameOnly ? 0 : attribute.hashCode());
      }
      tokens[operation.index()] = mix(token, attributes);
    }
    return tokens;
  }

  /** Hash codes of shapes and the names of all results. */
  long[] results() {
    long[] tokens = shapes();
    for (Operation operation : block.operations()) {
      int index = operation.index();
      tokens[index] = mix(tokens[index], slots(operation.outputSlots(), /* withNames= */ true));
    }
    return tokens;
  }

  /** Hash codes of shapes and the names of all arguments. */
  long[] names() {
    long[] tokens = results();
    for (Operation operation : block.operations()) {
      int index = operation.index();
      tokens[index] = mix(tokens[index], slots(operation.inputSlots(), /* withNames= */ true));
    }
    return tokens;
  }

  private static long slots(List<Slot> slots, boolean withNames) {
    long token = slots.size();
    for (Slot slot : slots) {
      token = mix(mix(token, slot.name().hashCode()), slot.size());
      for (int i = 0; withNames && i < slot.size(); i++) {
        token = mix(token, slot.argument(i).hashCode());
      }
    }
    return token;
  }

  /**
   * Hash codes of shapes and of the shapes of operators up to three steps away in the data flow,
   * whatever names they use.
   */
  long[] neighborhoods() {
    long[] tokens = shapes();
    for (int round = 0; round < 3; round++) {
      long[] next = tokens.clone();
      long[] readers = new long[tokens.length];
      for (Operation operation : block.operations()) {
        int index = operation.index();
        for (int i = 0; i < operation.inputCount(); i++) {
          long definition = definitions.of(index, i);
          if (definition == UseDefinitions.OUTSIDE) {
            next[index] = mix(next[index], 7);
          } else {
            int writer = UseDefinitions.operator(definition);
            next[index] = mix(mix(next[index], tokens[writer]), UseDefinitions.output(definition));
            readers[writer] += mix(tokens[index], i); // in any order
          }
        }
      }
      for (int i = 0; i < next.length; i++) {
        next[i] = mix(next[i], readers[i]);
      }
      tokens = next;
    }
    return tokens;
  }

  private static long mix(long a, long b) {
    long mixed = a * 0x9E3779B97F4A7C15L + b;
    return (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
  }
}
