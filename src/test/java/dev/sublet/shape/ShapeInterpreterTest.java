package dev.sublet.shape;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
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
