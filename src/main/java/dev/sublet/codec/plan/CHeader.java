package dev.sublet.codec.plan;

import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints a plan as a header for C99 and C++. The header consists of macros: a macro can be used
 * wherever a constant is required, and never causes a warning about an unused definition.
 *
 * <p>All names begin with the title. Each identifier is followed by one of a few words without
 * underscores (ARENA, OFFSET, BYTES, …), so the names are distinct if the identifiers are.
 */
final class CHeader {

  private static final long LARGEST_UNSIGNED_LONG = (1L << 32) - 1;

  private final MemoryPlan plan;
  private final String prefix;
  private final CNames names = new CNames();
  private final StringBuilder text = new StringBuilder();

  private CHeader(MemoryPlan plan, String prefix) {
    this.plan = plan;
    this.prefix = prefix;
  }

  /** Returns the text of the header. O(plan), times the logarithm of the number of views. */
  static String print(MemoryPlan plan, PlanSubject subject) {
    CHeader header = new CHeader(plan, CNames.prefix(subject.title()));
    header.writeStart();
    for (int arena = 0; arena < plan.arenas().size(); arena++) {
      header.writeArena(arena);
    }
    header.writeAllocations();
    header.writeRemarks();
    header.text.append("\n#endif /* ").append(header.prefix).append("_H */\n");
    return header.text.toString();
  }

  private void writeStart() {
    text.append("/* A memory plan by Sublet: where variables lie in their arenas, in bytes.\n");
    text.append(" * Planner: ").append(CNames.comment(plan.planner()));
    text.append("; batch ").append(plan.batch()).append(".\n");
    if (!plan.programSha256().isEmpty()) {
      text.append(" * SHA-256 of the program: ").append(CNames.comment(plan.programSha256()));
      text.append("\n");
    }
    text.append(" * Live intervals [begin, end) are in program points: operator k reads at 2k and");
    text.append(" writes at 2k + 1.\n */\n");
    text.append("#ifndef ").append(prefix).append("_H\n");
    text.append("#define ").append(prefix).append("_H\n\n");
    text.append("#include <stddef.h>\n#include <stdint.h>\n\n");
    define("ARENAS", String.valueOf(plan.arenas().size()));
  }

  private void writeArena(int index) {
    Arena arena = plan.arenas().get(index);
    String name = names.unique("ARENA_" + index);
    text.append("\n/* Arena ").append(index).append(": ");
    text.append(CNames.comment(ArenaLabels.of(arena)));
    writeExample(arena, index, name);
    text.append(" */\n");
    define(name + "_BYTES", constant(arena.bytes()));
    define(name + "_ALIGNMENT", constant(arena.alignment()));
    if (arena.bytes() > LARGEST_UNSIGNED_LONG) {
      text.append("#if SIZE_MAX < ").append(constant(arena.bytes())).append("\n");
      text.append("#error \"the arena is larger than any object can be here\"\n#endif\n");
    }
  }

  private void writeExample(Arena arena, int index, String name) {
    if (arena.bytes() > 0 && Long.bitCount(arena.alignment()) == 1) {
      String start = prefix + "_" + name;
      text.append(". In C11 (with <stdalign.h>) and C++11 for example:\n");
      text.append(" *   static alignas(").append(start).append("_ALIGNMENT) unsigned char arena");
      text.append(index).append("[").append(start).append("_BYTES];\n");
      text.append(" *   void *x = arena").append(index).append(" + ").append(prefix);
      text.append("_X_OFFSET;\n");
    }
  }

  private void writeAllocations() {
    Map<VariableId, List<Allocation>> byVariable = new LinkedHashMap<>();
    for (Allocation allocation : plan.allocations()) {
      byVariable.computeIfAbsent(allocation.variable(), v -> new ArrayList<>()).add(allocation);
    }
    byVariable.forEach(this::writeVariable);
  }

  private void writeVariable(VariableId variable, List<Allocation> allocations) {
    text.append("\n/* ").append(name(variable)).append(" */\n");
    if (allocations.size() == 1) {
      writeAllocation(names.unique(variable.name()), allocations.get(0));
      return;
    }
    String name = names.unique(variable.name());
    text.append("/* It is in several places, one after the other. */\n");
    define(name + "_ALLOCATIONS", String.valueOf(allocations.size()));
    for (int i = 0; i < allocations.size(); i++) {
      writeAllocation(names.unique(name + "_" + i), allocations.get(i));
    }
  }

  private void writeAllocation(String name, Allocation allocation) {
    define(name + "_ARENA", String.valueOf(allocation.arena()));
    define(name + "_OFFSET", constant(allocation.offset()));
    define(name + "_BYTES", constant(allocation.bytes()));
    if (allocation.slots() > 1) {
      define(name + "_SLOTS", constant(allocation.slots()));
      define(name + "_SLOT_BYTES", constant(allocation.slotBytes()));
    }
    text.append("/* live:");
    for (Interval live : allocation.live()) {
      text.append(" [").append(live.begin()).append(", ").append(live.end()).append(")");
    }
    text.append(" */\n");
    allocation.views().ifPresent(views -> text.append(CViews.macro(prefix + "_" + name, views)));
  }

  /** Writes the parts of a plan that are not constants as comments. */
  private void writeRemarks() {
    List<String> lines = new ArrayList<>();
    for (Alias alias : plan.aliases()) {
      String offset = alias.offset() == 0 ? "" : " + " + alias.offset();
      lines.add(
          name(alias.variable())
              + " has the bytes of "
              + name(alias.of())
              + offset
              + ": "
              + CNames.comment(alias.kind()));
    }
    writeRemark("Shared on purpose:", lines);
    lines.clear();
    for (UnneededCopy copy : plan.copies()) {
      lines.add(
          "operator "
              + copy.operator()
              + " of block "
              + copy.block()
              + ", from "
              + name(copy.from())
              + " to "
              + name(copy.to()));
    }
    writeRemark("Copies to where the bytes are already; they need not run:", lines);
    lines.clear();
    for (Unplanned unplanned : plan.unplanned()) {
      lines.add(name(unplanned.variable()) + ": " + CNames.comment(unplanned.reason()));
    }
    writeRemark("Without a place in the arenas:", lines);
  }

  private void writeRemark(String title, List<String> lines) {
    if (!lines.isEmpty()) {
      text.append("\n/* ").append(title).append("\n");
      for (String line : lines) {
        text.append(" *   ").append(line).append("\n");
      }
      text.append(" */\n");
    }
  }

  private static String name(VariableId variable) {
    return "'" + CNames.comment(variable.name()) + "' of block " + variable.block();
  }

  private void define(String name, String value) {
    text.append("#define ").append(prefix).append("_").append(name).append(" ");
    text.append(value).append("\n");
  }

  /** Returns a constant with the suffix of a type that is wide enough on every machine. */
  static String constant(long value) {
    return value + (value <= LARGEST_UNSIGNED_LONG ? "UL" : "ULL");
  }
}
