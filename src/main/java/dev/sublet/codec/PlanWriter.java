package dev.sublet.codec;

import dev.sublet.plan.MemoryPlan;
import java.nio.charset.StandardCharsets;

/**
 * Writes offset plans. The same plan always gives the same bytes.
 *
 * <p>Variable names are text in every form: a byte that is not UTF-8 is written {@code \xNN} and a
 * backslash is doubled, and {@link PlanReader} turns them back, so that a plan that is read names
 * the same variables. All other names are written as they are.
 */
public final class PlanWriter {

  private PlanWriter() {}

  /** A plan in the given form. CSV holds only the allocations; the others hold everything. O(n). */
  public static byte[] toBytes(MemoryPlan plan, PlanFormat format) {
    return switch (format) {
      case BINARY -> PlanMessages.toMessage(plan).toByteArray();
      case TEXT -> TextForm.print(PlanMessages.toMessage(plan)).getBytes(StandardCharsets.UTF_8);
      case JSON -> PlanJson.print(plan).getBytes(StandardCharsets.UTF_8);
      case CSV -> PlanTable.print(plan).getBytes(StandardCharsets.UTF_8);
    };
  }
}
