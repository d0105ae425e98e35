package dev.sublet.loop;

import dev.sublet.program.OperationBuilder;
import dev.sublet.program.ProgramBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Copies that are meant to happen at the same time, written one after the other: first those whose
 * target nobody still copies; a circle is opened by saving one target in a temporary. O(n²) for the
 * few variables of a loop.
 *
 * <p>Source: the usual way to take a register allocator's parallel moves apart.
 */
final class ParallelCopies {

  /** What each target that is still to be written gets. */
  private final Map<String, String> sources;

  ParallelCopies(Map<String, String> sources) {
    this.sources = new LinkedHashMap<>(sources);
  }

  /**
   * Writes the copies.
   *
   * @param temporary makes a variable like a target
   */
  void write(ProgramBuilder builder, int block, UnaryOperator<String> temporary) {
    while (!sources.isEmpty()) {
      String free = findFree();
      if (free != null) {
        addCopy(builder, block, sources.remove(free), free);
        continue;
      }
      String saved = sources.keySet().iterator().next();
      String copy = temporary.apply(saved);
      addCopy(builder, block, saved, copy);
      sources.replaceAll((target, source) -> source.equals(saved) ? copy : source);
    }
  }

  private @Nullable String findFree() {
    for (String target : sources.keySet()) {
      if (!sources.containsValue(target)) {
        return target;
      }
    }
    return null;
  }

  private static void addCopy(ProgramBuilder builder, int block, String from, String to) {
    builder.add(
        block, OperationBuilder.of("assign").input("X", List.of(from)).output("Out", List.of(to)));
  }
}
