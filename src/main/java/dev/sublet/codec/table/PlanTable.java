package dev.sublet.codec.table;

import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;

/**
 * A plan's allocations as CSV, one row for each live interval; quoted as RFC 4180 has it.
 *
 * <p>If loops move any of them, there is a last column with the views of those: {@code 3[0 64]} by
 * the iterations of block 3, {@code 3[128 | 0 64]} with a first one of its own; empty for the
 * others.
 */
public final class PlanTable {

  public static final String HEADER = "block_idx,variable,arena,offset,bytes,begin,end";

  private PlanTable() {}

  /** Returns the plan as CSV, one row per allocation. O(allocations). */
  public static String print(MemoryPlan plan) {
    boolean moves =
        plan.allocations().stream().anyMatch(allocation -> allocation.views().isPresent());
    StringBuilder table = new StringBuilder(HEADER).append(moves ? ",views\n" : "\n");
    for (Allocation allocation : plan.allocations()) {
      String start =
          allocation.variable().block()
              + ","
              + quote(CsvNames.encode(allocation.variable().name()))
              + ","
              + allocation.arena()
              + ","
              + allocation.offset()
              + ","
              + allocation.bytes()
              + ",";
      for (Interval interval : allocation.live()) {
        table.append(start).append(interval.begin()).append(',').append(interval.end());
        if (moves) {
          table.append(',');
          allocation.views().ifPresent(view -> append(view, table));
        }
        table.append('\n');
      }
    }
    return table.toString();
  }

  /** Views as the table has them. */
  public static String text(MultiView view) {
    StringBuilder text = new StringBuilder();
    append(view, text);
    return text.toString();
  }

  private static void append(MultiView view, StringBuilder text) {
    if (view instanceof MultiView.Region region) {
      text.append(region.offset());
    } else if (view instanceof MultiView.Rotation rotation) {
      text.append(rotation.block()).append('[');
      if (rotation.first().isPresent()) {
        append(rotation.first().get(), text);
        text.append(" | ");
      }
      for (int i = 0; i < rotation.views().size(); i++) {
        text.append(i == 0 ? "" : " ");
        append(rotation.views().get(i), text);
      }
      text.append(']');
    }
  }

  private static String quote(String field) {
    boolean special = field.indexOf(',') >= 0 || field.indexOf('"') >= 0;
    return special ? "\"" + field.replace("\"", "\"\"") + "\"" : field;
  }
}
