package dev.sublet.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.ProgramException;
import dev.sublet.diff.PlanDiff;
import dev.sublet.diff.PlanDifference;
import dev.sublet.diff.ProgramDiff;
import dev.sublet.diff.ProgramDifference;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.report.PlanDiffReport;
import dev.sublet.report.ProgramDiffReport;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Describes for people the difference between an expected file and the actual content. */
final class Difference {

  /** The greatest number of characters that are shown of a line. */
  private static final int MOST_SHOWN = 200;

  private Difference() {}

  /** Returns the difference, in lines that end with a line feed; empty if there is none. */
  static String between(byte[] expected, byte[] actual, Comparison comparison) {
    if (Arrays.equals(expected, actual)) {
      return "";
    }
    if (actual.length == 0) {
      return ofContents(expected, actual); // as a message, no content is one without fields
    }
    Optional<String> structural = ofPrograms(expected, actual, comparison);
    if (structural.isEmpty()) {
      structural = ofPlans(expected, actual);
    }
    if (structural.isEmpty()) {
      return ofContents(expected, actual);
    }
    if (structural.get().isEmpty() && comparison.exact()) {
      return "the same, written otherwise\n" + ofContents(expected, actual);
    }
    return structural.get();
  }

  /** Returns the difference between two programs; empty if the actual content is not a program. */
  private static Optional<String> ofPrograms(
      byte[] expected, byte[] actual, Comparison comparison) {
    ReadProgram made;
    try {
      made = ProgramReader.parseWithFormat(actual, "");
    } catch (ProgramException e) {
      return Optional.empty();
    }
    ReadProgram wanted;
    try {
      wanted = ProgramReader.parseWithFormat(expected, "");
    } catch (ProgramException e) {
      return Optional.of("a program was made, but the file is none: " + e.getMessage() + "\n");
    }
    ProgramDifference difference = ProgramDiff.between(wanted.program(), made.program());
    if (comparison.renamings() && !comparison.exact()) {
      difference = withoutRenamings(difference);
    }
    if (!difference.isSame()) {
      return Optional.of("another program\n" + new ProgramDiffReport(difference).text());
    }
    // An ONNX model contains more than its program: metadata, values of initializers.
    boolean isModel = wanted.model().isPresent() || made.model().isPresent();
    return Optional.of(
        isModel ? "the same program, another model\n" + ofContents(expected, actual) : "");
  }

  private static ProgramDifference withoutRenamings(ProgramDifference difference) {
    return new ProgramDifference(
        difference.versionBefore(),
        difference.versionAfter(),
        ImmutableList.of(),
        difference.operators(),
        difference.blocks(),
        difference.variables(),
        difference.inexact());
  }

  /** Returns the difference between two plans; empty if the actual content is not a plan. */
  private static Optional<String> ofPlans(byte[] expected, byte[] actual) {
    MemoryPlan made;
    try {
      made = PlanReader.parse(actual, "");
    } catch (ProgramException e) {
      return Optional.empty();
    }
    MemoryPlan wanted;
    try {
      wanted = PlanReader.parse(expected, "");
    } catch (ProgramException e) {
      return Optional.of("a plan was made, but the file is none: " + e.getMessage() + "\n");
    }
    PlanDifference difference = PlanDiff.between(wanted, made);
    return Optional.of(
        difference.isSame()
            ? ""
            : "another plan\n" + new PlanDiffReport(wanted, made, difference).text());
  }

  private static String ofContents(byte[] expected, byte[] actual) {
    Optional<String> wanted = text(expected);
    Optional<String> made = text(actual);
    if (wanted.isPresent() && made.isPresent()) {
      return ofTexts(wanted.get(), made.get());
    }
    return Arrays.mismatch(expected, actual)
        + " bytes are equal, then it differs; "
        + actual.length
        + " bytes instead of "
        + expected.length
        + "\n";
  }

  private static Optional<String> text(byte[] content) {
    try {
      return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the first line that differs. Only line feeds end lines, so carriage returns are shown.
   */
  private static String ofTexts(String expected, String actual) {
    List<String> wanted = Splitter.on('\n').splitToList(expected);
    List<String> made = Splitter.on('\n').splitToList(actual);
    int line = 0;
    while (line < Math.min(wanted.size(), made.size()) && wanted.get(line).equals(made.get(line))) {
      line++;
    }
    return "line "
        + (line + 1)
        + " is "
        + shown(made, line)
        + "\ninstead of "
        + shown(wanted, line)
        + "\n";
  }

  private static String shown(List<String> lines, int line) {
    if (line >= lines.size()) {
      return "missing";
    }
    String text = lines.get(line).replace("\r", "\\r");
    return "'" + (text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text) + "'";
  }
}
