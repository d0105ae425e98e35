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
 * Writes offset plans. Equal plans always give equal bytes.
 *
 * <p>Variable names are text in every form: a byte that is not UTF-8 is written as {@code \xNN},
 * and a backslash is doubled. {@link PlanReader} reverses this, so a plan that is read back names
 * the same variables. All other names are written unchanged; the C header escapes more characters.
 */
public final class PlanWriter {

  private PlanWriter() {}

  /**
   * Returns a plan in the given form, without facts about its program. O(n log n).
   *
   * @throws ProgramException if the form needs more than the plan, or cannot represent any part of
   *     it
   */
  public static byte[] toBytes(MemoryPlan plan, PlanFormat format) {
    return toBytes(plan, format, PlanSubject.unknown(), new DiagnosticLog());
  }

  /**
   * Returns a plan in the given form. O(n log n).
   *
   * @param subject the facts about the planned program
   * @param log gets a warning about the parts of the plan that the form cannot represent
   * @throws ProgramException if the form needs facts that the subject does not contain, or cannot
   *     represent any part of the plan
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
