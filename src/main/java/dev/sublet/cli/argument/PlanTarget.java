package dev.sublet.cli.argument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.OperatorSpans;
import dev.sublet.TablePlans;
import dev.sublet.cli.console.Streams;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanSubject;
import dev.sublet.codec.plan.PlanWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import java.util.Optional;

/**
 * The target of a plan and the form in which it is written.
 *
 * @param target a path, or {@code -}
 * @param format the form
 */
public record PlanTarget(String target, PlanFormat format) {

  /**
   * Returns the plan of a program in this form. The log gets a warning about parts that the form
   * cannot represent.
   */
  public byte[] toBytes(MemoryPlan plan, Program program, DiagnosticLog log) {
    PlanSubject subject =
        format == PlanFormat.TRACE || format == PlanFormat.TFLM || format == PlanFormat.TFLM_JSON
            ? PlanSubject.of(program, OperatorSpans.of(program))
            : PlanSubject.unknown();
    return PlanWriter.toBytes(plan, format, subject.withTitle(title()), log);
  }

  /** Returns the plan of an unknown program in this form. */
  public byte[] toBytes(MemoryPlan plan, DiagnosticLog log) {
    if (format == PlanFormat.TFLM || format == PlanFormat.TFLM_JSON) {
      throw ProgramException.usage(
          "which tensor has which index follows from the program: name it with --program");
    }
    return PlanWriter.toBytes(plan, format, PlanSubject.unknown().withTitle(title()), log);
  }

  /**
   * Returns a table of buffers with offsets in this form.
   *
   * @throws IllegalArgumentException if the form is CSV, or one that represents whole plans
   */
  public byte[] toBytes(
      BufferTable table, long alignment, ImmutableLongArray offsets, DiagnosticLog log) {
    if (format.isComplete() || format.isCsv()) {
      throw new IllegalArgumentException("a table as " + format);
    }
    PlanSubject subject =
        new PlanSubject(
            title(), Optional.of(TablePlans.tensors(table)), Optional.of(ImmutableList.of()));
    return PlanWriter.toBytes(TablePlans.of(table, alignment, offsets, log), format, subject, log);
  }

  /** The file's name without its last extension; "plan" for standard output. */
  private String title() {
    if (target.equals(Streams.DASH)) {
      return "plan";
    }
    String name = String.valueOf(FileArgument.path(target).getFileName());
    int dot = name.lastIndexOf('.');
    return dot <= 0 ? name : name.substring(0, dot);
  }
}
