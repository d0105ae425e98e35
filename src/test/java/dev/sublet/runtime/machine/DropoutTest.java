package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Operation;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** Dropout where its mask is given, and where chance would decide. */
final class DropoutTest {

  private static final ImmutableLongArray THREE = ImmutableLongArray.of(3);

  private static OperatorResult run(
      String operator, ImmutableListMultimap<String, LodTensor> inputs, String output) {
    Operation operation =
        ProgramText.parse("block 0", "var x: fp32[3]", "var m: uint8[3]", operator)
            .block(0)
            .operations()
            .get(0);
    return Kernels.all()
        .find(operation.type())
        .orElseThrow()
        .run(new OperatorCall(operation, inputs, ImmutableSet.of(output)));
  }

  private static Tensor gradient(String implementation) {
    ImmutableListMultimap<String, LodTensor> inputs =
        ImmutableListMultimap.of(
            "Out@GRAD", LodTensor.of(Tensor.of(THREE, 1f, 2f, 3f)),
            "Mask",
                LodTensor.of(
                    Tensor.ofBytes(ElementType.UINT8, THREE, (byte) 1, (byte) 0, (byte) 1)));
    String operator =
        "(X@GRAD: g) = dropout_grad(Out@GRAD: x, Mask: m)"
            + " {dropout_prob: 0.5, dropout_implementation: \""
            + implementation
            + "\"}";
    return run(operator, inputs, "X@GRAD").outputs().get("X@GRAD").get(0).tensor();
  }

  @Test
  void gradient_passesWhatTheMaskKept() {
    assertThat(gradient("downgrade_in_infer")).isEqualTo(Tensor.of(THREE, 1f, 0f, 3f));
    assertThat(gradient("upscale_in_train")).isEqualTo(Tensor.of(THREE, 2f, 0f, 6f));
  }

  @Test
  void training_withProbabilityBetweenTheEnds_isRefused() {
    ImmutableListMultimap<String, LodTensor> inputs =
        ImmutableListMultimap.of("X", LodTensor.of(Tensor.of(THREE, 1f, 2f, 3f)));
    String operator = "(Out: y, Mask: m) = dropout(X: x) {dropout_prob: 0.5}";
    assertThrows(OperatorException.class, () -> run(operator, inputs, "Out"));
  }
}
