package dev.sublet.loop.unroll;

import dev.sublet.program.OperationBuilder;
import dev.sublet.program.ProgramBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Copies with the meaning of a simultaneous assignment, written one after the other. First come the
 * copies whose target no remaining copy reads. A cycle is opened by saving one target in a
 * temporary. O(n²) for the few variables of a loop.
 *
 * <pre>{@code
 * (a, b) = (b, a)     becomes     t = assign(a); a = assign(b); b = assign(t)
 * }</pre>
 *
 * <p>Source: the usual sequentialization of a register allocator's parallel moves.
 */
final class ParallelCopies {

  /** The source of each target that is still to be written. */
  private final Map<String, String> sources;

  ParallelCopies(Map<String, String> sources) {
    this.sources = new LinkedHashMap<>(sources);
  }

  /**
   * Writes the copies.
   *
   * @param temporary declares a variable like a target and returns its name
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
