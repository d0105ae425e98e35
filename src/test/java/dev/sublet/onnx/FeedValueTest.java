package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.TextFormat;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Feed;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.onnx.NearTensors;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan for one value of a feed, which decides a branch. */
final class FeedValueTest {

  private static final Path MODEL = Path.of("testdata/onnx/if_value/model.textproto");

  private static ModelProto message() throws IOException {
    ModelProto.Builder model = ModelProto.newBuilder();
    TextFormat.merge(Files.readString(MODEL), model);
    return model.build();
  }

  private static TranspileOptions withRate(long rate) {
    return TranspileOptions.defaults().withShapes(ShapeOptions.defaults().withValue("sr", rate));
  }

  private static Tensor row() {
    double[] elements = new double[64];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (i - 32) / 16.0;
    }
    return RandomTensors.ofValues(ElementType.FLOAT32, ImmutableLongArray.of(1, 64), elements);
  }

  private static Tensor run(OnnxModel model, long rate, MemoryPlan plan) {
    Tensor scalar =
        RandomTensors.ofValues(ElementType.INT64, ImmutableLongArray.of(), (double) rate);
    return Executor.run(
            model.program(),
            ImmutableMap.of("x", LodTensor.of(row()), "sr", LodTensor.of(scalar)),
            ModelParameters.read(model),
            ExecutionOptions.defaults().in(plan))
        .outputs()
        .get(0)
        .tensor()
        .tensor();
  }

  @ParameterizedTest
  @ValueSource(longs = {8000, 16000})
  void theModel_runsInTheArenaOfItsValue_asInTheRuntime(long rate)
      throws IOException, OrtException {
    OnnxModel model = OnnxModel.of(message());
    TranspileOptions options = withRate(rate);
    PlanResult planned = Transpiler.plan(model.program(), options);
    assertThat(Verifier.verifyPlan(model.program(), planned.plan(), options).toString())
        .isEqualTo("valid");
    Tensor here = run(model, rate, planned.plan());
    float[] elements = new float[64];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) row().getDouble(i);
    }
    ImmutableMap<String, OnnxTensor> feeds =
        ImmutableMap.of(
            "x",
            OnnxTensor.createTensor(
                RuntimeTensor.environment(), FloatBuffer.wrap(elements), new long[] {1, 64}),
            "sr",
            OnnxTensor.createTensor(RuntimeTensor.environment(), rate));
    byte[] bytes = RuntimeTensor.bytes(message(), feeds).get(0);
    Tensor there = TensorBytes.get(here.type(), ImmutableLongArray.of(1, 64), bytes, 0);
    NearTensors.check("y", here, there, 1e-5, 1e-6);
  }

  @Test
  void theBranchThatIsNotTaken_needsNoBytes() throws IOException {
    OnnxModel model = OnnxModel.of(message());
    long any = arena(model, TranspileOptions.defaults());
    // The rows of the branches: 16 and 2 of 64 floats.
    assertThat(any).isAtLeast(16 * 64 * Float.BYTES);
    assertThat(arena(model, withRate(16000))).isAtLeast(16 * 64 * Float.BYTES);
    assertThat(arena(model, withRate(8000))).isLessThan(any - 13 * 64 * Float.BYTES);
  }

  private static long arena(OnnxModel model, TranspileOptions options) {
    return Transpiler.plan(model.program(), options).plan().arenaBytes();
  }

  @Test
  void thePlan_tellsTheValue_andVerifyTakesIt() throws IOException {
    OnnxModel model = OnnxModel.of(message());
    MemoryPlan plan = Transpiler.plan(model.program(), withRate(8000)).plan();
    assertThat(plan.feeds().stream().map(Feed::toString).toList())
        .isEqualTo(ImmutableList.of("--value sr=8000"));
    TranspileOptions options = TranspileOptions.defaults().withShapesOf(plan);
    assertThat(Verifier.verifyPlan(model.program(), plan, options).toString()).isEqualTo("valid");
    // The plan is wrong for runs with other values, and the validator says so.
    assertWithMessage("for any value")
        .that(Verifier.verifyPlan(model.program(), plan, TranspileOptions.defaults()).isValid())
        .isFalse();
  }

  @Test
  void aRunWithAnotherValue_cannotUseThePlan() throws IOException {
    OnnxModel model = OnnxModel.of(message());
    MemoryPlan plan = Transpiler.plan(model.program(), withRate(8000)).plan();
    ProgramException error = assertThrows(ProgramException.class, () -> run(model, 16000, plan));
    assertThat(error).hasMessageThat().contains("the plan gives it 0 bytes");
  }
}
