package dev.sublet.verify.plan;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.text.ProgramText;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Plans that put variables into the bytes of others that hold the same, right and wrong ones. A
 * plan is lines {@code block:name offset+bytes begin-end …}.
 */
final class PlanViewsTest {

  /** Nodes: 0 feed, 1 a, 2 r, 3 t, 4 y, 5 fetch. */
  private static final String RESHAPE =
      """
      block 0
        feed x: fp32[4,4]
        var a: fp32[4,4]
        var r: fp32[16]
        var t: fp32[16]
        var y: fp32[16]
        a = tanh(x)
        r = reshape2(a) {shape: [16]}
        t = relu(r)
        y = elementwise_add(t, a)
        fetch(y)
      """;

  private static final String RESHAPE_PLAN =
      """
      0:x 0+64 0-12
      0:a 64+64 3-10
      0:r 64+64 5-8
      0:t 128+64 7-10
      0:y 192+64 9-12
      """;

  @Test
  void aReshape_mayLieInItsInput() {
    accepts(RESHAPE, RESHAPE_PLAN);
  }

  @Test
  void aViewThatIsNotExactlyInPlace_isRejected() {
    rejects(RESHAPE, RESHAPE_PLAN.replace("0:r 64", "0:r 68"), "overlaps the input 'a'");
    rejects(RESHAPE, RESHAPE_PLAN.replace("0:r 64", "0:r 60"), "overlaps the input 'a'");
  }

  @Test
  void workingInPlaceOnAView_needsAllOthersDead() {
    String inPlace =
        RESHAPE_PLAN.replace("0:r 64+64 5-8", "0:r 64+64 5-7").replace("0:t 128", "0:t 64");
    rejects(RESHAPE, inPlace, "variable 'a'");
    accepts(
        RESHAPE.replace("elementwise_add(t, a)", "elementwise_add(t, x)"),
        inPlace.replace("0:a 64+64 3-10", "0:a 64+64 3-6"));
  }

  @Test
  void whatIsNoCopy_isNoView() {
    rejects(
        RESHAPE.replace("reshape2(a) {shape: [16]}", "sigmoid(a)"), RESHAPE_PLAN, "variable 'a'");
    rejects(
        RESHAPE.replace("reshape2(a) {shape: [16]}", "scale(a) {scale: 2.0}"),
        RESHAPE_PLAN,
        "variable 'a'");
    accepts(RESHAPE.replace("reshape2(a) {shape: [16]}", "scale(a) {scale: 1.0}"), RESHAPE_PLAN);
  }

  @Test
  void aViewIsGone_whenItsSourceIsWrittenAnew() {
    String program =
        RESHAPE.replace(
            "  y = elementwise_add(t, a)", "  a = tanh(t)\n  y = elementwise_add(r, a)");
    String plan =
        """
        0:x 0+64 0-14
        0:a 64+64 3-6 9-12
        0:r 64+64 5-12
        0:t 128+64 7-10
        0:y 192+64 11-14
        """;
    rejects(program, plan, "variable 'r'");
    accepts(program, plan.replace("0:a 64+64 3-6 9-12", "0:a 64+64 3-6\n0:a 256+64 9-12"));
  }

  @Test
  void aBystanderInTheOutputsBytes_isOnlySafeWhereTheyAreKept() {
    String program = RESHAPE.replace("elementwise_add(t, a)", "elementwise_add(t, x)");
    rejects(program, RESHAPE_PLAN.replace("0:r 64", "0:r 0").replace("3-10", "3-6"), "'x'");
  }

  /** Nodes: 0 feed, 1 a, 2 b, 3 c, 4 y, 5 fetch. */
  private static final String CONCAT =
      """
      block 0
        feed x: fp32[4,4]
        var a: fp32[4,4]
        var b: fp32[4,4]
        var c: fp32[8,4]
        var s: fp32[8,4]
        var y: fp32[4,4]
        a = tanh(x)
        b = sigmoid(x)
        c = concat(a b) {axis: 0}
        s = softmax(c)
        y = mystery_a(A: s, B: a, C: b)
        fetch(y)
      """;

  private static final String CONCAT_PLAN =
      """
      0:x 0+64 0-14
      0:a 64+64 3-12
      0:b 128+64 5-12
      0:c 64+128 7-10
      0:s 192+128 9-12
      0:y 320+64 11-14
      """;

  @Test
  void inputsOfAConcat_mayLieInIt_oneBehindTheOther() {
    accepts(CONCAT, CONCAT_PLAN);
    accepts(CONCAT, CONCAT_PLAN.replace("0:b 128", "0:b 384"));
  }

  @Test
  void inputsOfAConcat_inEachOthersPlaces_areClobbered() {
    rejects(
        CONCAT,
        CONCAT_PLAN.replace("0:a 64", "0:a 1000").replace("0:b 128", "0:b 64"),
        "variable 'c': overlaps the input 'b'");
    rejects(
        CONCAT,
        CONCAT_PLAN.replace("0:a 64", "0:a 1000").replace("0:b 128", "0:b 132"),
        "variable 'c': overlaps the input 'b'");
    rejects(
        CONCAT.replace("concat(a b) {axis: 0}", "concat(b a) {axis: 0}"),
        CONCAT_PLAN,
        "overlaps the input");
  }

  @Test
  void aConcatAlongAnInnerAxis_hasNoViews() {
    rejects(
        CONCAT
            .replace("{axis: 0}", "{axis: 1}")
            .replace("c: fp32[8,4]", "c: fp32[4,8]")
            .replace("s: fp32[8,4]", "s: fp32[4,8]"),
        CONCAT_PLAN,
        "overlaps the input");
  }

  @Test
  void theSameInputTwice_isAViewInOnePlaceOnly() {
    String program = CONCAT.replace("concat(a b)", "concat(a a)").replace("C: b", "C: x");
    accepts(program, CONCAT_PLAN.replace("0:b 128+64 5-12", "0:b 384+64 5-6"));
  }

  /** Nodes: 0 feed, 1 a, 2 p q, 3 w, 4 y, 5 fetch. */
  private static final String SPLIT =
      """
      block 0
        feed x: fp32[8,4]
        var a: fp32[8,4]
        var p: fp32[4,4]
        var q: fp32[4,4]
        var w: fp32[2,4]
        var y: fp32[4,4]
        a = tanh(x)
        p q = split(a) {axis: 0, num: 2}
        w = slice(Input: q) {axes: [0], starts: [-2], ends: [100]}
        y = mystery_a(A: w, B: p, C: q, D: a)
        fetch(y)
      """;

  private static final String SPLIT_PLAN =
      """
      0:x 0+128 0-12
      0:a 128+128 3-10
      0:p 128+64 5-10
      0:q 192+64 5-10
      0:w 224+32 7-10
      0:y 256+64 9-12
      """;

  @Test
  void outputsOfSplitsAndSlices_mayLieInTheInput() {
    accepts(SPLIT, SPLIT_PLAN);
    rejects(SPLIT, SPLIT_PLAN.replace("0:w 224", "0:w 192"), "overlaps the input 'q'");
    rejects(
        SPLIT,
        SPLIT_PLAN.replace("0:p 128", "0:p 192").replace("0:q 192", "0:q 128"),
        "overlaps the input 'a'");
  }

  private static void accepts(String program, String plan) {
    assertThat(validate(program, plan).toString()).isEqualTo("valid");
  }

  private static void rejects(String program, String plan, String gist) {
    assertThat(validate(program, plan).toString()).contains(gist);
  }

  private static ValidationResult validate(String text, String plan) {
    Program program = ProgramText.parse(text);
    OperatorCatalog catalog = OperatorCatalog.standard();
    return PlanValidator.validate(
        program,
        plan(plan),
        catalog,
        InferredSizes.of(program),
        MemorySpaces.find(program, catalog, MemorySpaces.Target.CPU),
        ProofOptions.defaults());
  }

  private static MemoryPlan plan(String text) {
    List<Allocation> allocations = new ArrayList<>();
    for (String line : Splitter.on('\n').omitEmptyStrings().split(text)) {
      List<String> words = Splitter.on(' ').splitToList(line);
      List<String> id = Splitter.on(':').splitToList(words.get(0));
      List<String> region = Splitter.on('+').splitToList(words.get(1));
      ImmutableList.Builder<Interval> live = ImmutableList.builder();
      for (String interval : words.subList(2, words.size())) {
        List<String> points = Splitter.on('-').splitToList(interval);
        live.add(new Interval(Integer.parseInt(points.get(0)), Integer.parseInt(points.get(1))));
      }
      allocations.add(
          new Allocation(
              new VariableId(Integer.parseInt(id.get(0)), id.get(1)),
              /* arena= */ 0,
              Long.parseLong(region.get(0)),
              Long.parseLong(region.get(1)),
              live.build()));
    }
    return new MemoryPlan(
        "",
        "test",
        1,
        ImmutableList.of(new Arena("cpu", 2048, 0, 4)),
        ImmutableList.copyOf(allocations),
        ImmutableList.of(),
        ImmutableList.of());
  }
}
