package dev.sublet.codec.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sublet.codec.program.TextForm;
import dev.sublet.codec.table.PlanBuffers;
import dev.sublet.codec.table.PlanTable;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes offset plans. The same plan always gives the same bytes.
 *
 * <p>Variable names are text in every form: a byte that is not UTF-8 is written {@code \xNN} and a
 * backslash is doubled, and {@link PlanReader} turns them back, so that a plan that is read names
 * the same variables. All other names are written as they are; the C header escapes more.
 */
public final class PlanWriter {

  private PlanWriter() {}

  /**
   * A plan in the given form, of which nothing else is at hand. O(n log n).
   *
   * @throws ProgramException if the form needs more than the plan, or can hold nothing of it
   */
  public static byte[] toBytes(MemoryPlan plan, PlanFormat format) {
    return toBytes(plan, format, PlanSubject.unknown(), new DiagnosticLog());
  }

  /**
   * A plan in the given form. O(n log n).
   *
   * @param subject what is known beside the plan
   * @param log gets a warning of what the form cannot carry
   * @throws ProgramException if the form needs more than is known, or can hold nothing of the plan
   */
  public static byte[] toBytes(
      MemoryPlan plan, PlanFormat format, PlanSubject subject, DiagnosticLog log) {
    return switch (format) {
      case BINARY -> PlanMessages.toMessage(plan).toByteArray();
      case TEXT -> TextForm.print(PlanMessages.toMessage(plan)).getBytes(UTF_8);
      case JSON -> PlanJson.print(plan).getBytes(UTF_8);
      case CSV -> table(plan, log);
      case BUFFERS -> PlanBuffers.print(plan, /* withOffsets= */ true, log).getBytes(UTF_8);
      case PROBLEM -> PlanBuffers.print(plan, /* withOffsets= */ false, log).getBytes(UTF_8);
      case TRACE -> TraceJson.print(plan, subject, log).getBytes(UTF_8);
      case TFLM -> OfflineAllocation.of(plan, subject, log).toBytes();
      case TFLM_JSON -> OfflineAllocation.of(plan, subject, log).toJson();
      case HEADER -> CHeader.print(plan, subject).getBytes(UTF_8);
    };
  }

  private static byte[] table(MemoryPlan plan, DiagnosticLog log) {
    List<String> losses = new ArrayList<>();
    addLoss(losses, plan.arenas().size(), "the size of an arena", "the sizes of %s arenas");
    addLoss(losses, plan.unplanned().size(), "1 unplanned variable", "%s unplanned variables");
    addLoss(losses, plan.aliases().size(), "1 alias", "%s aliases");
    addLoss(losses, plan.copies().size(), "1 unneeded copy", "%s unneeded copies");
    if (!losses.isEmpty()) {
      log.warn(
          Location.nowhere(),
          "CSV holds the allocations of a plan alone, without " + String.join(", ", losses));
    }
    return PlanTable.print(plan).getBytes(UTF_8);
  }

  private static void addLoss(List<String> losses, int count, String one, String several) {
    if (count > 0) {
      losses.add(count == 1 ? one : several.replace("%s", String.valueOf(count)));
    }
  }
}
