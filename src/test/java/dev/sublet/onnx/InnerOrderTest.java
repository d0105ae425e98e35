package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.TextFormat;
import dev.sublet.PlanResult;
import dev.sublet.ScheduledModel;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.DataType;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Nodes of inner graphs move where that saves bytes, and the model computes the same bits. */
final class InnerOrderTest {

  private static final Path MODEL = Path.of("testdata/onnx/inner_order/model.textproto");

  private static ModelProto model() throws IOException {
    ModelProto.Builder model = ModelProto.newBuilder();
    TextFormat.merge(Files.readString(MODEL), model);
    return model.build();
  }

  private static ScheduledModel scheduled(ModelProto message) {
    return ScheduledModel.of(OnnxModel.of(message), TranspileOptions.defaults(), stage -> {});
  }

  /** The operator types of a graph's nodes in order. */
  private static ImmutableList<String> types(GraphProto graph) {
    return graph.getNodeList().stream()
        .map(NodeProto::getOpType)
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void aBranchAndTheBodyOfALoop_reduceEachValueBeforeTheyMakeTheNext() throws IOException {
    PlanResult inOrder =
        Transpiler.plan(OnnxModel.of(model()).program(), TranspileOptions.defaults());
    ScheduledModel scheduled = scheduled(model());
    // Of three values of 16 by 8 floats, one is live at a time, with results of 8 of others.
    long saved = 2 * 16 * 8 * Float.BYTES - 2 * 8 * Float.BYTES;
    assertThat(scheduled.result().plan().arenaBytes())
        .isAtMost(inOrder.plan().arenaBytes() - saved);
    GraphProto main = scheduled.model().toMessage().getGraph();
    assertThat(types(main)).containsExactly("If", "Loop").inOrder();
    for (NodeProto node : main.getNodeList()) {
      ImmutableList<String> types = types(node.getAttribute(0).getG());
      assertWithMessage("%s: %s", node.getOpType(), types)
          .that(types.indexOf("ReduceSum"))
          .isLessThan(types.lastIndexOf("Expand"));
    }
  }

  @Test
  void theRuntime_computesTheSameBits_inBothOrders() throws IOException, OrtException {
    ModelProto moved = scheduled(model()).model().toMessage();
    assertThat(moved).isNotEqualTo(model());
    for (boolean condition : new boolean[] {false, true}) {
      FloatBuffer row = FloatBuffer.wrap(new float[] {1, -2, 3, 0.5f, -0.25f, 7, 0, 1e-3f});
      ImmutableMap<String, OnnxTensor> feeds =
          ImmutableMap.of(
              "x", OnnxTensor.createTensor(RuntimeTensor.environment(), row, new long[] {1, 8}),
              "c", OnnxTensor.createTensor(RuntimeTensor.environment(), condition));
      byte[] expected = RuntimeTensor.bytes(model(), feeds).get(0);
      assertThat(RuntimeTensor.bytes(moved, feeds).get(0)).isEqualTo(expected);
    }
  }

  @Property(tries = 60)
  void randomModels_haveTheSameBits_inTheArenaOfTheOrderFound(@ForAll long seed) {
    ModelProto message = RandomModels.of(seed);
    OnnxModel model = OnnxModel.of(message);
    ScheduledModel scheduled = scheduled(message);
    PlanResult inOrder = Transpiler.plan(model.program(), TranspileOptions.defaults());
    assertThat(scheduled.result().plan().arenaBytes()).isAtMost(inOrder.plan().arenaBytes());
    assertThat(run(scheduled.model(), seed, scheduled.result().plan()))
        .isEqualTo(run(model, seed, inOrder.plan()));
  }

  private static List<Tensor> run(OnnxModel model, long seed, MemoryPlan plan) {
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    ImmutableLongArray shape = ImmutableLongArray.of(16);
    for (String name : List.of("x0", "x1")) {
      feeds.put(name, LodTensor.of(RandomTensors.feed(name, seed, DataType.FP32, shape)));
    }
    Tensor truth =
        RandomTensors.ofValues(ElementType.BOOL, ImmutableLongArray.of(), (double) (seed & 1));
    feeds.put("c", LodTensor.of(truth));
    return Executor.run(
            model.program(),
            feeds.buildOrThrow(),
            ModelParameters.read(model),
            ExecutionOptions.defaults().in(plan))
        .outputs()
        .stream()
        .map(output -> output.tensor().tensor())
        .toList();
  }

  /** So that the property is about something: many of the models get another order inside. */
  @Test
  void manyRandomModels_getAnotherOrderInside() {
    int inside = 0;
    for (long seed = 0; seed < 150; seed++) {
      ModelProto message = RandomModels.of(seed);
      ModelProto moved = scheduled(message).model().toMessage();
      inside += inner(message.getGraph()).equals(inner(moved.getGraph())) ? 0 : 1;
    }
    assertThat(inside).isAtLeast(5);
  }

  /** The first outputs of the nodes of inner graphs, sorted by the graph, in order in each. */
  private static List<String> inner(GraphProto graph) {
    List<String> found = new ArrayList<>();
    for (NodeProto node : graph.getNodeList()) {
      for (AttributeProto attribute : node.getAttributeList()) {
        if (attribute.hasG()) {
          List<String> names = new ArrayList<>();
          attribute.getG().getNodeList().forEach(each -> names.add(each.getOutput(0)));
          found.add(node.getOutput(0) + ": " + names);
          found.addAll(inner(attribute.getG()));
        }
      }
    }
    found.sort(null);
    return found;
  }
}
