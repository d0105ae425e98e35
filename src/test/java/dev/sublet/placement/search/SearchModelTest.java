package dev.sublet.placement.search;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.placement.testing.ProblemText.problem;
import static java.util.Objects.requireNonNull;

import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.ProblemText;
import dev.sublet.placement.testing.RandomProblems;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Units, sections, spans and twins of small problems. */
final class SearchModelTest {

  private static SearchModel model(PlanningProblem problem) {
    return requireNonNull(SearchModel.of(problem, /* arenaBytes= */ 1 << 20));
  }

  private static long unit(long alignment, String... buffers) {
    return model(problem(alignment, buffers)).unit;
  }

  @Test
  void unit_isTheCommonDivisorOfWhatOffsetsAreSumsOf() {
    assertThat(unit(1, "12 0-1", "18 0-1")).isEqualTo(6);
    assertThat(unit(4, "9 0-1", "24 0-1")).isEqualTo(12); // 9 bytes are followed by 3
    assertThat(unit(1, "12 pin=8 0-1", "24 0-1")).isEqualTo(4);
  }

  @Test
  void unit_andAlignment_oneDividesTheOther() {
    assertThat(unit(1, "24 align=8 0-1", "48 align=12 0-1")).isEqualTo(24);
    assertThat(unit(1, "12 align=8 0-1", "24 align=4 0-1")).isEqualTo(4);
    // 6 would do for the sizes and 4 is no divisor of it, so 2; then 6 has to be met again.
    assertThat(unit(1, "12 align=6 0-1", "18 align=4 0-1", "18 0-1")).isEqualTo(2);
  }

  @Test
  void unit_withWindows_isTheAlignment() {
    assertThat(unit(4, "16 0-1 1-2@3:8", "32 0-1")).isEqualTo(4);
  }

  @Test
  void windows_areRoundedDown_clearancesUp() {
    SearchModel model = model(problem(4, "16 0-1@3:11", "16 0-1"));
    assertThat(model.spanHigh[0]).isEqualTo(2);
    assertThat(model.spanUnits[0]).isEqualTo(2);
    assertThat(model.memberLows[0]).isEqualTo(0);
    assertThat(model.clearances).isEqualTo(new int[] {3, 4});
    assertThat(model.hasClearanceOfZero).isEqualTo(new boolean[] {false, false});
  }

  @Test
  void windowsThatDoNotMeet_haveAClearanceOfZero() {
    SearchModel model = model(problem(1, "4 0-2@0:2", "4 0-2@2:4"));
    assertThat(model.clearances).isEqualTo(new int[] {0, 4});
    assertThat(model.hasClearanceOfZero).isEqualTo(new boolean[] {true, false});
  }

  @Test
  void heights_arePadded_alignmentsAreInUnits() {
    SearchModel model = model(problem(1, "10 align=4 0-1", "8 align=8 0-1"));
    assertThat(model.unit).isEqualTo(4);
    assertThat(model.heights).isEqualTo(new int[] {3, 2});
    assertThat(model.alignments).isEqualTo(new int[] {1, 2});
    assertThat(model.loads).isEqualTo(new int[] {5});
  }

  @Test
  void alignmentBeyondInt_isAnAlignmentThatOnlyOffsetZeroHas() {
    SearchModel model =
        model(
            problem(
                1, "8 align=" + (1L << 40) + " 0-1", "7 align=" + (1L << 31) + " 0-1", "1 0-1"));
    // No offset comes up to 2^29, and rounding up to that stays an int.
    assertThat(model.alignments).isEqualTo(new int[] {1 << 29, 1 << 29, 1});
  }

  @Test
  void sections_areWhereMostAreLive() {
    // Live at 0: a. 1: a, b. 2: b. 3: b, c. 4: c, and from 6 on d.
    SearchModel model = model(problem(1, "1 0-2", "2 1-4", "4 3-5", "8 6-9"));
    assertThat(model.sections).isEqualTo(3);
    assertThat(model.loads).isEqualTo(new int[] {3, 6, 8});
    assertThat(model.spanFirst).isEqualTo(new int[] {0, 0, 1, 2});
    assertThat(model.spanLast).isEqualTo(new int[] {0, 1, 1, 2});
  }

  @Test
  void aBufferWithAGap_hasASpanOnEitherSide() {
    SearchModel model = model(problem(1, "1 0-2 4-6", "2 0-6", "4 2-4"));
    assertThat(model.sections).isEqualTo(3);
    assertThat(model.spanRows).isEqualTo(new int[] {0, 2, 3, 4});
    assertThat(model.spanFirst).isEqualTo(new int[] {0, 2, 0, 1});
    assertThat(model.spanLast).isEqualTo(new int[] {0, 2, 2, 1});
    assertThat(model.first(0)).isEqualTo(0);
    assertThat(model.last(0)).isEqualTo(2);
    assertThat(model.loads).isEqualTo(new int[] {3, 6, 3});
  }

  @Test
  void twins_haveTheSameSectionsSizeAlignmentAndWindows() {
    // 1 ends later than 0, but nothing begins in between. 2 is larger, 3 aligned, 4 has a gap, 5
    // ends
    // before something begins, 7 is pinned.
    SearchModel model =
        model(
            problem(
                1,
                "8 0-4",
                "8 0-5",
                "9 0-4",
                "8 align=2 0-4",
                "8 0-1 3-4",
                "8 0-3",
                "1 2-3",
                "8 pin=90 0-4"));
    assertThat(model.twins).isEqualTo(new int[] {-1, 0, -1, -1, -1, -1, -1, -1});
  }

  @Test
  void tooLarge_isNoModel() {
    PlanningProblem problem = problem(1, "1 0-1");
    assertThat(SearchModel.of(problem, (1L << 29) - 1)).isNotNull();
    assertThat(SearchModel.of(problem, 1L << 29)).isNull();
  }

  @Test
  void neighbors_areTheBuffersThatAreLiveTogether() {
    for (int seed = 0; seed < 300; seed++) {
      PlanningProblem problem =
          RandomProblems.generate(new Random(seed), 20, 20, 9, RandomProblems.Kind.FULL);
      SearchModel model = model(problem);
      for (int b = 0; b < model.count; b++) {
        int[] found =
            Arrays.copyOfRange(model.neighbors, model.neighborRows[b], model.neighborRows[b + 1]);
        Arrays.sort(found);
        int next = 0;
        for (int other = 0; other < model.count; other++) {
          boolean meets = problem.clearance(b, other) != PlanningProblem.NO_CLEARANCE;
          if (other != b && meets) {
            assertWithMessage(ProblemText.print(problem)).that(found[next++]).isEqualTo(other);
          }
        }
        assertThat(found).hasLength(next);
      }
    }
  }
}
