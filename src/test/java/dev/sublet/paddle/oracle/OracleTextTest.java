package dev.sublet.paddle.oracle;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Lines of cases: choices, random extents, values. */
final class OracleTextTest {

  private static ImmutableList<String> texts(String line) {
    return OracleText.cases(line).stream()
        .map(OracleCase::text)
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void choices_areOneCaseEach() {
    assertThat(texts("{relu|tanh}(X: {fp32[2]|fp64[3]}) {axis: {[0]|[0,1]}}"))
        .containsExactly(
            "relu(X: fp32[2]) {axis: [0]}",
            "relu(X: fp32[2]) {axis: [0,1]}",
            "relu(X: fp64[3]) {axis: [0]}",
            "relu(X: fp64[3]) {axis: [0,1]}",
            "tanh(X: fp32[2]) {axis: [0]}",
            "tanh(X: fp32[2]) {axis: [0,1]}",
            "tanh(X: fp64[3]) {axis: [0]}",
            "tanh(X: fp64[3]) {axis: [0,1]}")
        .inOrder();
  }

  @Test
  void letters_areTheSameExtentEverywhere() {
    for (OracleCase oracleCase : OracleText.cases("add(X: fp32[A,B], Y: fp32[2AB](0,A))")) {
      ImmutableLongArray shape = oracleCase.inputs().get("X").get(0).tensor().shape();
      Tensor y = oracleCase.inputs().get("Y").get(0).tensor();
      assertThat(y.length()).isEqualTo(2 * shape.get(0) * shape.get(1));
      for (int i = 0; i < y.length(); i++) {
        assertThat(y.getDouble(i)).isAtLeast(0.0);
        assertThat(y.getDouble(i)).isLessThan((double) shape.get(0));
      }
    }
  }

  @Test
  void lines_areReadTheSameAgain() {
    String line = "add(X: fp32[A,B], Y: int64[C])";
    assertThat(OracleText.cases(line)).isEqualTo(OracleText.cases(line));
    assertThat(OracleText.cases(line)).hasSize(3);
  }

  @Test
  void values_sequencesOutputsAndTolerance() {
    OracleCase read =
        OracleText.cases(
                "(Y*2, Mask!, MeanOut=Mean) = op(X: fp32[3]<1,-2,0.5> lod<0,1,3>, Mean: fp64[1],"
                    + " Out: forward) {axis: 1} within 1e-3: many terms")
            .get(0);
    LodTensor x = read.inputs().get("X").get(0);
    assertThat(x.tensor()).isEqualTo(Tensor.of(ImmutableLongArray.of(3), 1f, -2f, 0.5f));
    assertThat(x.lod()).containsExactly(ImmutableLongArray.of(0, 1, 3));
    assertThat(read.fromForward()).containsExactly("Out");
    assertThat(read.tolerance()).isEqualTo(1e-3);
    assertThat(read.outputs())
        .containsExactly(
            new OracleCase.Output("Y", 2, true, ""),
            new OracleCase.Output("Mask", 1, false, ""),
            new OracleCase.Output("MeanOut", 1, true, "Mean"))
        .inOrder();
    assertThat(read.operator("c"))
        .isEqualTo(
            "(Y: co_Y_0 co_Y_1, Mask: co_Mask_0, MeanOut: ci_Mean_0) ="
                + " op(X: ci_X_0, Mean: ci_Mean_0) {axis: 1}");
  }

  @Test
  void whatIsNoLine_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> OracleText.cases("relu X: fp32[2]"));
    assertThrows(IllegalArgumentException.class, () -> OracleText.cases("relu(fp32[2])"));
    assertThrows(IllegalArgumentException.class, () -> OracleText.cases("relu(X: fp16[2])"));
    assertThrows(IllegalArgumentException.class, () -> OracleText.cases("relu(X: fp32[2]<1>)"));
    assertThrows(IllegalArgumentException.class, () -> OracleText.cases("relu(X: fp32[2] junk)"));
  }
}
