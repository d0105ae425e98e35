package dev.sublet.codec.table;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The ids of allocations in a table of buffers. An id is {@code name}, or {@code block:name} if the
 * name is blank or variables of two blocks have it, and then {@code #n} for the n-th allocation of
 * a variable with several.
 *
 * <p>Such tables have no quotation. So characters that would end a cell or be trimmed are written
 * as {@code \xNN}, in addition to those that {@link CsvNames} escapes. If an id is already in use,
 * because a variable's name looks like a generated id, the id gets one more {@code #n}.
 */
final class BufferIds {

  private final Map<Allocation, Integer> numbers = new HashMap<>();
  private final Multiset<VariableId> allocationsOf = HashMultiset.create();
  private final Multiset<String> variablesWith = HashMultiset.create();
  private final Set<String> taken = new HashSet<>();

  BufferIds(MemoryPlan plan) {
    for (Allocation allocation : plan.allocations()) {
      if (allocationsOf.add(allocation.variable(), 1) == 0) {
        variablesWith.add(allocation.variable().name());
      }
      numbers.putIfAbsent(allocation, allocationsOf.count(allocation.variable()));
    }
  }

  /** Returns the id of an allocation; every call returns a new id. */
  String next(Allocation allocation) {
    VariableId variable = allocation.variable();
    String id = escape(variable.name());
    if (variable.name().isBlank() || variablesWith.count(variable.name()) > 1) {
      id = variable.block() + ":" + id;
    }
    if (allocationsOf.count(variable) > 1) {
      id += "#" + numbers.get(allocation);
    }
    String unique = id;
    for (int n = 2; !taken.add(unique); n++) {
      unique = id + "#" + n;
    }
    return unique;
  }

  private static String escape(String name) {
    String encoded = CsvNames.encode(name);
    StringBuilder text = new StringBuilder(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      boolean trimmed = c == ' ' && (i == 0 || i == encoded.length() - 1);
      if (c == ',' || c == '"' || trimmed) {
        text.append(CsvNames.escape(c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
