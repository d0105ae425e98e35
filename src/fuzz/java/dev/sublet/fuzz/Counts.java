package dev.sublet.fuzz;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** How much was tried, by name. */
final class Counts {

  private final ConcurrentSkipListMap<String, LongAdder> counts = new ConcurrentSkipListMap<>();

  void add(String what) {
    add(what, 1);
  }

  void add(String what, long number) {
    counts.computeIfAbsent(what, name -> new LongAdder()).add(number);
  }

  /** One line, by name. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    counts.forEach(
        (what, number) ->
            line.append(line.isEmpty() ? "" : ", ")
                .append(String.format("%s %,d", what, number.sum())));
    return line.toString();
  }
}
