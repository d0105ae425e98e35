package dev.sublet.offset.merge;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.plan.Unplanned;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** What a plan says of arrays, whose elements the runtime allocates. */
final class ArrayGrowthTest {

  private static String reason(String... lines) {
    return reasonOf("states", lines);
  }

  private static String reasonOf(String array, String... lines) {
    PlanResult result = Transpiler.plan(ProgramText.parse(lines), TranspileOptions.defaults());
    for (Unplanned unplanned : result.plan().unplanned()) {
      if (unplanned.variable().name().equals(array)) {
        return unplanned.reason();
      }
    }
    return "planned";
  }

  private static String loopThatWrites(String inBody) {
    return reason(
        "block 0",
        "feed x: fp32[2,8]",
        "feed i: int64[1]",
        "var c: bool[1]",
        "var states: array fp32[2,8]",
        "c = less_than(i, i)",
        "states = write_to_array(x, I: i)",
        "while(X: i states c, Condition: c) -> (Out: i states c, StepScopes: scopes) {sub_block: 1}",
        "block 1 parent 0",
        "var y: fp32[2,8]",
        "var z: fp32[2,8]",
        "y = read_from_array(states, I: i)",
        inBody);
  }

  @Test
  void writesInALoop_countForEachIteration() {
    assertThat(loopThatWrites("states = write_to_array(y, I: i)"))
        .isEqualTo("an array: at most 64 bytes and 64 bytes per iteration of block 1");
  }

  @Test
  void writesOutsideOfLoops_count() {
    assertThat(loopThatWrites("z = relu(y)")).isEqualTo("an array: at most 64 bytes");
  }

  @Test
  void anElementOfUnknownSize_isNamed() {
    assertThat(
            reason(
                "block 0",
                "feed x: fp32[2,-1]",
                "var i: int64[1]",
                "var states: array fp32[2,-1]",
                "i = fill_constant() {shape: [1L], dtype: 3, value: 0.0}",
                "states = write_to_array(x, I: i)"))
        .startsWith("an array of unknown size: extent 1 of 'x' is unknown (-1)");
  }

  @Test
  void theGradientOfAnArray_growsAsTheArray() {
    String growth =
        reasonOf(
            "states@GRAD",
            "block 0",
            "feed x: fp32[2,8]",
            "feed i: int64[1]",
            "var c: bool[1]",
            "var states: array fp32[2,8]",
            "var states@GRAD: array fp32[2,8]",
            "c = less_than(i, i)",
            "states = write_to_array(x, I: i)",
            "while(X: i states c, Condition: c) -> (Out: i states c, StepScopes: scopes) {sub_block: 1}",
            "while_grad(X: states, Out: states, Out@GRAD: states@GRAD, StepScopes: scopes) -> (X@GRAD: states@GRAD) {sub_block: 2, original_output_grad: [\"states@GRAD\"]}",
            "block 1 parent 0",
            "var y: fp32[2,8]",
            "y = read_from_array(states, I: i)",
            "states = write_to_array(y, I: i)",
            "block 2 parent 0 forward 1",
            "var g: fp32[2,8]",
            "g = read_from_array(states@GRAD, I: i)",
            "states@GRAD = write_to_array(g, I: i)");
    assertThat(growth)
        .isEqualTo("an array: at most 64 bytes and 64 bytes per iteration of block 1");
  }

  @Test
  void anotherWriter_isNamed() {
    assertThat(
            reason(
                "block 0",
                "var other: array fp32[2,8]",
                "var states: array fp32[2,8]",
                "states = assign(other)"))
        .isEqualTo("an array of unknown size: assign writes it");
  }
}
