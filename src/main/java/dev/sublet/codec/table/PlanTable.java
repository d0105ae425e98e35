package dev.sublet.codec.table;

import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;

/**
 * Prints a plan's allocations as CSV, one row per live interval, with quotation as in RFC 4180.
 *
 * <p>If loops move an allocation, the table has a last column with the views: {@code 3[0 64]} for
 * offsets 0 and 64 by the iterations of block 3, {@code 3[128 | 0 64]} with an initial offset of
 * 128; empty for the other allocations.
 */
public final class PlanTable {

  /** The columns that every table has; {@code views} may follow. */
  public static final String HEADER = "block_idx,variable,arena,offset,bytes,begin,end";

  private PlanTable() {}

  /** Returns the plan as CSV, one row per live interval. O(live intervals). */
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

  /** Returns views in the notation of the table. */
  public static String text(MultiView view) {
    StringBuilder text = new StringBuilder();
    append(view, text);
    return text.toString();
  }

  private static void append(MultiView view, StringBuilder text) {
    if (view instanceof MultiView.FixedView fixed) {
      text.append(fixed.offset());
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
