package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.table.BufferTableReader;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.PlacementCheck;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import dev.sublet.plan.BufferTable;
import dev.sublet.verify.plan.BufferTableValidator;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From tables of buffers to problems, and the table validator beside comparing all with all. */
final class TablePlannerTest {

  private static final String HEADER = "id,lower,upper,size,alignment,offset,gaps\n";

  private static BufferTable table(String rows) {
    byte[] bytes = (HEADER + rows).getBytes(UTF_8);
    return BufferTableReader.parse(bytes, "t.csv", new DiagnosticLog());
  }

  private static String problem(String rows) {
    return ProblemText.print(TableProblem.of(table(rows), 1));
  }

  private static String failure(String rows) {
    ProgramException e =
        assertThrows(ProgramException.class, () -> TableProblem.of(table(rows), 16));
    assertThat(e.exitCode()).isEqualTo(3);
    return e.diagnostics().get(0).toString();
  }

  @Test
  void times_becomeRanks() {
    assertThat(
            problem(
                """
                a,100,9223372036854775807,8,,,
                b,7,9000000000,4,,,
                """))
        .isEqualTo("8 align=1 1-3\n4 align=1 0-2\n");
  }

  @Test
  void gaps_cutARow_andTheirWindowsAreIntervals() {
    assertThat(problem("a,0,90,8,4,64,0-10@2:8 20-30 40-50@0:8 80-90\n"))
        .isEqualTo("8 align=4 pin=64 0-10@2:8 10-20 30-80\n");
  }

  @Test
  void timesTooFarApart_becomeRanks() {
    assertThat(problem("a,5,1000000000000,8,,,\nb,7,9,8,,,\n"))
        .isEqualTo("8 align=1 0-3\n8 align=1 1-2\n");
  }

  @Test
  void anAlignmentForAll_isThatOfRowsWithoutOne() {
    assertThat(ProblemText.print(TableProblem.of(table("a,0,1,8,,,\nb,0,1,8,2,,\n"), 32)))
        .isEqualTo("8 align=32 0-1\n8 align=2 0-1\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,0,1,8,,24,              | 2:10: the offset 24 is not a multiple of the alignment 16; write 16, or leave it empty",
        "a,0,1,8,10,24,            | 2:12: the offset 24 is not a multiple of the alignment 10; write 20, or leave it empty",
        "a,0,1,4611686018427387904,,, | 2:7: up to this row, sizes, alignments and the highest offset add up to more than 4,611,686,018,427,387,904 bytes (4.00 EiB); make them smaller",
        "a,0,1,1,1,9223372036854775807, | 2:7: up to this row, sizes, alignments and the highest offset add up to more than 4,611,686,018,427,387,904 bytes (4.00 EiB); make them smaller",
      })
  void aTableThatContradictsItself_isOneLineWithItsPlace(String rows, String message) {
    assertThat(failure(rows + "\n")).isEqualTo(message);
  }

  @Test
  void pinsThatShareBytes_areOneLineAboutBoth() {
    assertThat(failure("a,5,9,8,1,0,\nb,0,3,8,1,4,\nc,2,5,8,1,11,\nd,6,7,3,1,8,\n"))
        .isEqualTo(
            "4:11: at its offset 11 the row shares bytes with that of line 3, at offset 4, from"
                + " time 2 on; change one of the offsets, or leave it empty");
  }

  @Test
  void pinsInEachOthersGaps_areAllowed() {
    PlanningProblem problem =
        TableProblem.of(table("a,0,9,8,,0,3-6@4:8\nb,3,6,4,,0,\nc,9,10,8,,0,\n"), 1);

    assertThat(problem.pin(1)).isEqualTo(0);
  }

  @Test
  void aTableWithoutRows_needsNothing() {
    Placement placement =
        TablePlanner.plan(
            table(""), OffsetOptions.defaults().withAlignment(1), new DiagnosticLog());

    assertThat(placement.arenaBytes()).isEqualTo(0);
    assertThat(placement.isProvedOptimal()).isTrue();
  }

  /** A problem as rows of a table; its points are their times. */
  private static String rows(PlanningProblem problem) {
    StringBuilder text = new StringBuilder();
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      text.append("r").append(buffer).append(',');
      text.append(problem.firstPoint(buffer)).append(',').append(problem.lastPoint(buffer));
      text.append(',').append(problem.size(buffer)).append(',').append(problem.alignment(buffer));
      text.append(',').append(problem.isPinned(buffer) ? problem.pin(buffer) : "").append(',');
      int before = problem.firstPoint(buffer);
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        if (before < problem.begin(i)) {
          text.append(before).append('-').append(problem.begin(i)).append(' ');
        }
        if (problem.low(i) != 0 || problem.high(i) != problem.size(buffer)) {
          text.append(problem.begin(i)).append('-').append(problem.end(i)).append('@');
          text.append(problem.low(i)).append(':').append(problem.high(i)).append(' ');
        }
        before = problem.end(i);
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** Random offsets are valid for the validator exactly if they are for who compares all. */
  @Property(tries = 2000)
  void theValidator_agreesWithComparingAll(@ForAll long seed) {
    Random random = new Random(seed);
    PlanningProblem problem =
        RandomProblems.generate(random, 1 + random.nextInt(5), 8, 12, RandomProblems.Kind.FULL);
    BufferTable table = table(rows(problem));
    PlanningProblem read = TableProblem.of(table, 1);
    long[] offsets = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      boolean free = !problem.isPinned(buffer) || random.nextInt(8) == 0;
      offsets[buffer] = free ? random.nextInt(40) : problem.pin(buffer);
      boolean aligned = random.nextInt(4) != 0;
      offsets[buffer] = aligned ? problem.align(buffer, offsets[buffer]) : offsets[buffer];
    }
    boolean isValid = isValid(problem, offsets);
    ImmutableLongArray given = ImmutableLongArray.copyOf(offsets);
    long arena = PlacementCheck.arena(problem, offsets);

    assertWithMessage(rows(problem)).that(isValid(read, offsets)).isEqualTo(isValid);
    assertWithMessage("%s at %s", rows(problem), given)
        .that(BufferTableValidator.validate(table, 1, given, arena).isValid())
        .isEqualTo(isValid);
    assertThat(BufferTableValidator.validate(table, 1, given, arena - 1).isValid()).isFalse();
  }

  private static boolean isValid(PlanningProblem problem, long[] offsets) {
    try {
      PlacementCheck.assertValid(problem, offsets);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  /** Pins that the validator accepts are those that the planner accepts. */
  @Property(tries = 2000)
  void pins_areRefusedExactlyIfTheyOverlap(@ForAll long seed) {
    Random random = new Random(seed);
    RandomProblems.Kind kind = new RandomProblems.Kind(true, true, false, false);
    int count = 2 + random.nextInt(4);
    PlanningProblem free = RandomProblems.generate(random, count, 8, 8, kind);
    StringBuilder pinned = new StringBuilder();
    long[] offsets = new long[count];
    int buffer = 0;
    for (String row : rows(free).lines().toList()) {
      offsets[buffer] = random.nextInt(16);
      pinned.append(row.replaceFirst(",1,,", ",1," + offsets[buffer++] + ",")).append('\n');
    }
    BufferTable table = table(pinned.toString());
    boolean accepted = true;
    try {
      TableProblem.of(table, 1);
    } catch (ProgramException e) {
      accepted = false;
    }

    assertWithMessage(pinned.toString()).that(accepted).isEqualTo(isValid(free, offsets));
  }
}
