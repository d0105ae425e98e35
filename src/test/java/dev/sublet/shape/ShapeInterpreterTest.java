package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** Which sizes are shown to be equal in every run, across iterations and sequences. */
final class ShapeInterpreterTest {

  @Test
  void dataDependentTensor_ofPreviousIteration_mayDiffer() {
    Program program =
        ProgramText.parse(
            """
            default fp32[]
            block 0
              feed x: fp32[2,4]
              feed more: bool[1]
              var prev: fp32[]
              prev = where_index(Condition: x)
              while(Condition: more, X: prev x) -> (Out: prev, StepScopes: z) {sub_block: 1}
              fetch(prev)
            block 1 parent 0
              old = relu(prev)
              next = where_index(Condition: x)
              new = relu(next)
              prev = relu(next)
            """);

    assertThat(areSame(program, ShapeOptions.defaults(), "next", "new")).isTrue();
    assertThat(areSame(program, ShapeOptions.defaults(), "old", "new")).isFalse();
  }

  @Test
  void elementsOfArray_thatDependOnData_mayDiffer() {
    Program program =
        ProgramText.parse(
            """
            default fp32[]
            block 0
              feed x: fp32[2,4]
              feed i: int64[1]
              var a: array fp32[]
              one = where_index(Condition: x)
              a = write_to_array(X: one, I: i)
              first = read_from_array(X: a, I: i)
              second = read_from_array(X: a, I: i)
              copy = relu(first)
              fetch(first)
            """);

    assertThat(areSame(program, ShapeOptions.defaults(), "first", "copy")).isTrue();
    assertThat(areSame(program, ShapeOptions.defaults(), "first", "second")).isFalse();
  }

  /** A choice that the number of rows decides: relu(x) for one row, else seven numbers. */
  private static final String CHOICE =
      """
      default fp32[]
      block 0
        feed x: fp32[-1]
        var one: int32[1]
        var n: int32[1]
        var c: bool[1]
        var not: bool[1]
        var m: int32[1]
        var t: fp32[-1]
        var f: fp32[-1]
        var y: fp32[-1]
        one = fill_constant() {shape: [1], value: 1.0, dtype: 2}
        n = shape(Input: x)
        c = equal(X: n, Y: one)
        not = logical_not(c)
        conditional_block(Cond: c, Input: x) -> (Out: t, Scope: s1) {sub_block: 1, is_scalar_condition: true}
        conditional_block(Cond: not, Input: x) -> (Out: f, Scope: s2) {sub_block: 2, is_scalar_condition: true}
        m = cast(c)
        y = select_input(X: f t, Mask: m)
        z = relu(x)
        fetch(y)
      block 1 parent 0
        t = relu(x)
      block 2 parent 0
        f = fill_constant() {shape: [7], value: 1.0}
      """;

  @Test
  void conditionThatTheShapesDecide_takesOneBranch() {
    Program program = ProgramText.parse(CHOICE);
    Sizes one = infer(program, ShapeOptions.defaults().withShape("x", 1));
    assertThat(bytes(program, one, "t", "f", "y")).containsExactly(4L, 0L, 4L).inOrder();
    Sizes five = infer(program, ShapeOptions.defaults().withShape("x", 5));
    assertThat(bytes(program, five, "t", "f", "y")).containsExactly(0L, 28L, 28L).inOrder();
  }

  @Test
  void conditionThatTheShapesDecide_takesAnotherBranchInOtherRuns() {
    Program program = ProgramText.parse(CHOICE);
    ShapeOptions options = ShapeOptions.defaults().withShape("x", 1);
    assertThat(areSame(program, options, "z", "t")).isTrue();
    assertThat(areSame(program, options, "z", "y")).isFalse();
    assertThat(areSame(program, options, "t", "y")).isFalse();
    assertThat(areSame(program, ShapeOptions.defaults().withShape("x", 7), "f", "y")).isFalse();
  }

  @Test
  void conditionOfFloats_takesNoBranch() {
    // A runtime may round either number in its own way.
    Program program =
        ProgramText.parse(
            CHOICE
                .replace("n: int32[1]", "n: fp32[1]")
                .replace("one: int32[1]", "one: fp32[1]")
                .replace("value: 1.0, dtype: 2", "value: 1.0, dtype: 5")
                .replace("n = shape(Input: x)", "n = fill_constant() {shape: [1], value: 1.0}"));
    Sizes five = infer(program, ShapeOptions.defaults().withShape("x", 5));
    assertThat(bytes(program, five, "t", "f", "y")).containsExactly(20L, 28L, 28L).inOrder();
  }

  /** A program of {@link #CHOICE} with a data-dependent condition and this body of block 2. */
  private static Program withSecondBranch(String... lines) {
    return ProgramText.parse(
        CHOICE
            .replace("c = equal(X: n, Y: one)", "c = equal(X: given, Y: one)")
            .replace("feed x: fp32[-1]", "feed x: fp32[-1]\n  feed given: int32[1]")
            .replace("n = shape(Input: x)", "w = fill_constant() {shape: [3], value: 1.0}")
            .replace("f = fill_constant() {shape: [7], value: 1.0}", String.join("\n  ", lines)));
  }

  @Test
  void branchThatSurelyRejectsTheGivenShapes_endsThere() {
    Program program =
        withSecondBranch(
            "before = concat(x x) {axis: 0}",
            "(0: u) = Add(0: x, 1: w)",
            "f = relu(u)",
            "after = concat(x x x) {axis: 0}");
    Sizes sizes = infer(program, ShapeOptions.defaults().withShape("x", 5));
    assertThat(bytes(program, sizes, "t", "f", "y")).containsExactly(20L, 0L, 20L).inOrder();
    assertThat(bytesOfBranch(program, sizes, "before", "u", "after"))
        .containsExactly(40L, 0L, 60L)
        .inOrder();
    assertThat(sizes.reason(program.declared(2, "u")))
        .startsWith("never made for the given shapes: op 'Add': ");
    // One row is accepted: each of the branches may run.
    Sizes one = infer(program, ShapeOptions.defaults().withShape("x", 1));
    assertThat(bytes(program, one, "t", "f", "y")).containsExactly(4L, 12L, 12L).inOrder();
    assertThat(bytesOfBranch(program, one, "u")).containsExactly(12L);
  }

  /** No run has confirmed what Paddle's operators reject. */
  @Test
  void branchThatMayRejectTheGivenShapes_decidesNothing() {
    Program program = withSecondBranch("u = elementwise_add(X: x, Y: w)", "f = relu(u)");
    Sizes sizes = infer(program, ShapeOptions.defaults().withShape("x", 5));
    assertThat(bytes(program, sizes, "t", "f", "y")).containsExactly(20L, -1L, -1L).inOrder();
    assertThat(sizes.reason(program.declared(2, "u")))
        .startsWith("the given shapes contradict op 'elementwise_add': ");
  }

  /** The extent of the rejected input is a bound: only sure shapes count. */
  @Test
  void branchThatRejectsABound_decidesNothing() {
    Program program =
        withSecondBranch(
            "(0: few) = Unique(0: x)", "(0: u) = Transpose(0: few) {perm: [0, 1]}", "f = relu(u)");
    Sizes sizes = infer(program, ShapeOptions.defaults().withShape("x", 5));
    assertThat(bytes(program, sizes, "t", "f", "y")).containsExactly(20L, -1L, -1L).inOrder();
  }

  @Test
  void allBranchesRejectTheGivenShapes_isAMistake() {
    Program program =
        ProgramText.parse(
            CHOICE
                .replace("c = equal(X: n, Y: one)", "c = equal(X: given, Y: one)")
                .replace("feed x: fp32[-1]", "feed x: fp32[-1]\n  feed given: int32[1]")
                .replace("n = shape(Input: x)", "w = fill_constant() {shape: [3], value: 1.0}")
                .replace("t = relu(x)", "(0: t) = Add(0: x, 1: w)")
                .replace(
                    "f = fill_constant() {shape: [7], value: 1.0}", "(0: f) = Mul(0: x, 1: w)"));
    ShapeOptions five = ShapeOptions.defaults().withShape("x", 5);
    ProgramException mistake = assertThrows(ProgramException.class, () -> infer(program, five));
    assertThat(mistake).hasMessageThat().contains("never made for the given shapes: op '");
  }

  private static ImmutableList<Long> bytesOfBranch(Program program, Sizes sizes, String... names) {
    ImmutableList.Builder<Long> bytes = ImmutableList.builder();
    for (String name : names) {
      bytes.add(sizes.bytes(program.declared(2, name)));
    }
    return bytes.build();
  }

  private static Sizes infer(Program program, ShapeOptions options) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    return ShapeInference.infer(program, catalog, LodCarriers.find(program, catalog), options);
  }

  private static ImmutableList<Long> bytes(Program program, Sizes sizes, String... names) {
    ImmutableList.Builder<Long> bytes = ImmutableList.builder();
    for (String name : names) {
      bytes.add(sizes.bytes(program.declared(0, name)));
    }
    return bytes.build();
  }

  @Test
  void numberOfSequences_isSameForSameSequencesOnly() {
    Program program =
        ProgramText.parse(
            """
            default fp32[]
            block 0
              feed x: fp32[-1,4] lod(1)
              feed y: fp32[-1,4] lod(1)
              a = sequence_pool(X: x) {pooltype: "SUM"}
              soft = sequence_softmax(X: x)
              b = sequence_pool(X: soft) {pooltype: "SUM"}
              c = sequence_pool(X: y) {pooltype: "SUM"}
              fetch(a)
            """);
    ShapeOptions options =
        new ShapeOptions(
            1,
            ImmutableMap.of(),
            ImmutableMap.of(
                "x", ImmutableList.of(ImmutableLongArray.of(0, 2, 3)),
                "y", ImmutableList.of(ImmutableLongArray.of(0, 2, 3))));

    assertThat(areSame(program, options, "a", "b")).isTrue();
    assertThat(areSame(program, options, "a", "c")).isFalse();
  }

  private static boolean areSame(Program program, ShapeOptions options, String a, String b) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    Sizes sizes =
        ShapeInference.infer(program, catalog, LodCarriers.find(program, catalog), options);
    int block = program.blocks().size() - 1;
    return sizes.areSame(program.resolve(block, a), program.resolve(block, b));
  }
}
