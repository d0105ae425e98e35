package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Writes the statements of copies: nothing if source and target are one place.
 *
 * <pre>
 *   memcpy(a + 1024, a + 0, 256);
 *   if (a + (n1 % 2 &lt; 1 ? 0 : 256) != a + 256) memcpy(…);
 * </pre>
 */
final class CopyCalls {

  private final ArenaLayout arena;
  private final ModelConstants constants;

  CopyCalls(ArenaLayout arena, ModelConstants constants) {
    this.arena = arena;
    this.constants = constants;
  }

  /** Returns the statements of a copy. */
  String of(TracedStep step, int position) {
    ImmutableList<TracedValue> choices = step.inputs().get("X");
    TracedValue target = step.outputs().get("Out").get(0);
    if (target.bytes() == 0) {
      return "";
    }
    if (step.inputs().get("Mask").isEmpty()) {
      return copy(choices.get(0), target, position);
    }
    TracedValue mask = step.inputs().get("Mask").get(0);
    String type = CTypes.of(mask.type());
    String read = "*(const " + type + " *)(const void *)(" + source(mask, position) + ")";
    List<String> copies = new ArrayList<>();
    choices.forEach(choice -> copies.add(copy(choice, target, position)));
    if (ImmutableSet.copyOf(copies).size() == 1) {
      return copies.get(0);
    }
    StringBuilder code = new StringBuilder();
    for (int i = 0; i < copies.size(); i++) {
      boolean isLast = i + 1 == copies.size();
      String test = isLast ? "" : "if (" + read + " == " + i + ") ";
      code.append(i == 0 ? "  " : "  } else ").append(test).append("{\n");
      code.append(copies.get(i).isEmpty() ? "" : "  " + copies.get(i));
    }
    return code.append("  }\n").toString();
  }

  private String source(TracedValue value, int position) {
    return value.isConstant()
        ? constants.use(value)
        : arena.place(value.name(), 2 * position, value.bytes()).address();
  }

  private String copy(TracedValue value, TracedValue target, int position) {
    ArenaPlace to = arena.place(target.name(), 2 * position + 1, target.bytes());
    if (value.isConstant()) {
      return copy(to.address(), constants.use(value), target.bytes());
    }
    ArenaPlace from = arena.place(value.name(), 2 * position, value.bytes());
    List<IntToLongFunction> turns = ArenaPlace.turns(List.of(from, to));
    long same = turns.stream().filter(turn -> from.begin(turn) == to.begin(turn)).count();
    if (same == turns.size()) {
      return "";
    }
    return same == 0
        ? copy(to.address(), from.address(), target.bytes())
        : copyUnlessSame(to.address(), from.address(), target.bytes());
  }

  /** Returns a copy of bytes that do not overlap. */
  static String copy(String to, String from, long bytes) {
    return "  memcpy(" + requireNonNull(to) + ", " + from + ", " + bytes + ");\n";
  }

  /** Returns a copy of bytes that are either the same or do not overlap. */
  static String copyUnlessSame(String to, String from, long bytes) {
    return "  if (" + to + " != " + from + ") " + copy(to, from, bytes).strip() + "\n";
  }
}
