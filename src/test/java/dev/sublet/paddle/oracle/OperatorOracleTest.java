package dev.sublet.paddle.oracle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The harness itself: what is right passes, what is wrong or crashes is named, and that alone. */
final class OperatorOracleTest {

  private static final String CRASH = "transpose_grad";

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  private static OperatorResult compute(OperatorCall call) {
    return switch (call.type()) {
      case "relu" -> relu(call.input("X"), 0);
      // Wrong by one in 10000.
      case "relu6" -> relu(call.input("X"), 1e-4f);
      case "shape" ->
          OperatorResult.of(
              "Out", Tensor.of(ImmutableLongArray.of(1), call.input("Input").size(0)));
      case CRASH -> OperatorResult.of("X@GRAD", call.input("X"));
      default -> throw new OperatorException("not known");
    };
  }

  private static OperatorResult relu(Tensor x, float factor) {
    float[] out = new float[x.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = Math.max(0, x.floats()[i]) * (1 + factor);
    }
    return OperatorResult.of("Out", Tensor.of(x.shape(), out));
  }

  private static String failure(ImmutableList<OracleResult> results, int i) {
    return results.get(i).failure();
  }

  @Test
  void compare_namesWhatIsWrong() {
    ImmutableList<OracleCase> cases =
        ImmutableList.<OracleCase>builder()
            .addAll(OracleText.cases("relu(X: fp32[5]<-2,-1,0,1,2>)"))
            .addAll(OracleText.cases("relu6(X: fp32[5]<-2,-1,0,1,2>) {threshold: 6.0}"))
            .addAll(OracleText.cases("shape(Input: fp32[5])"))
            // Ends the process: an attribute that it needs is missing.
            .addAll(OracleText.cases("(X@GRAD) = " + CRASH + "(X: fp32[1], Out@GRAD: fp32[1])"))
            .addAll(OracleText.cases("tanh(X: fp32[1])"))
            .addAll(OracleText.cases("relu(X: fp32[3]<-2,5,2>)"))
            .build();
    ImmutableList<OracleResult> results =
        OperatorOracle.compare("harness", cases, OperatorOracleTest::compute);
    assertThat(failure(results, 0)).isEmpty();
    assertThat(failure(results, 1)).contains("difference");
    assertThat(results.get(1).difference()).isWithin(1e-6).of(1e-4);
    assertWithMessage("of another type").that(failure(results, 2)).contains("difference Infinity");
    assertThat(failure(results, 3)).startsWith("Paddle: ");
    assertThat(failure(results, 4)).startsWith("here: ");
    assertThat(failure(results, 5)).isEmpty();
    assertThat(results).hasSize(6);
  }
}
