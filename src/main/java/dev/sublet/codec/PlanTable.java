package dev.sublet.codec;

import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;

/** A plan's allocations as CSV, one row for each live interval; quoted as RFC 4180 has it. */
final class PlanTable {

  static final String HEADER = "block_idx,variable,arena,offset,bytes,begin,end\n";

  private PlanTable() {}

  static String print(MemoryPlan plan) {
    StringBuilder table = new StringBuilder(HEADER);
    for (Allocation allocation : plan.allocations()) {
      String start =
          allocation.variable().block()
              + ","
              + quote(PlanNames.encode(allocation.variable().name()))
              + ","
              + allocation.arena()
              + ","
              + allocation.offset()
              + ","
              + allocation.bytes()
              + ",";
      for (Interval interval : allocation.live()) {
        table.append(start).append(interval.begin()).append(',').append(interval.end());
        table.append('\n');
      }
    }
    return table.toString();
  }

  private static String quote(String field) {
    boolean special =
        field.indexOf(',') >= 0
            || field.indexOf('"') >= 0
            || field.indexOf('\n') >= 0
            || field.indexOf('\r') >= 0;
    return special ? "\"" + field.replace("\"", "\"\"") + "\"" : field;
  }
}
