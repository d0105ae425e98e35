package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.google.common.collect.ImmutableList;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sublet.cli.Main;
import dev.sublet.codec.plan.PlanReader;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code optimize} writes of a real model: ONNX Runtime loads it, computes what it did, and
 * hands out the metadata, which is the plan's.
 */
final class AnnotatedModelTest {

  private static final int LENGTH = 9;

  @TempDir Path scratch = Path.of("");

  @Test
  void runtimeComputesTheSame_andTellsThePlan() throws IOException, OrtException {
    Path model = scratch.resolve("model.onnx");
    try (InputStream stream =
        AnnotatedModelTest.class.getResourceAsStream("/all-minilm-l6-v2-q.onnx")) {
      Files.copy(stream, model);
    }
    Path annotated = scratch.resolve("annotated.onnx");
    Path plan = scratch.resolve("plan.json");
    List<String> arguments =
        new ArrayList<>(List.of("optimize", model.toString(), "-o", annotated.toString()));
    arguments.addAll(List.of("--plan", plan.toString(), "-q"));
    arguments.addAll(List.of("--shape", "batch_size=1", "--shape", "sequence_length=" + LENGTH));
    assertThat(
            Main.run(arguments.toArray(new String[0]), InputStream.nullInputStream(), NONE, NONE))
        .isEqualTo(0);

    ImmutableList<Float> before = run(model, new HashMap<>());
    Map<String, String> metadata = new HashMap<>();
    assertThat(run(annotated, metadata)).isEqualTo(before);
    assertThat(before).hasSize(LENGTH * 384);

    MemoryPlan written = PlanReader.read(plan);
    assertThat(metadata).containsEntry("sublet.arena_bytes", Long.toString(written.arenaBytes()));
    JsonObject offsets = JsonParser.parseString(metadata.get("sublet.offsets")).getAsJsonObject();
    for (Allocation allocation : written.allocations()) {
      // All values of this model are in its own graph, at one place each.
      String place =
          "[[" + allocation.arena() + "," + allocation.offset() + "," + allocation.bytes() + "]]";
      assertThat(offsets.get(allocation.variable().name()).toString()).isEqualTo(place);
    }
    assertThat(offsets.size()).isEqualTo(written.allocations().size());
  }

  private static final PrintStream NONE = new PrintStream(OutputStream.nullOutputStream());

  /** The model's only result, without graph optimizations; and the metadata. */
  private static ImmutableList<Float> run(Path model, Map<String, String> metadata)
      throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    long[] shape = {1, LENGTH};
    LongBuffer words =
        LongBuffer.wrap(new long[] {101, 2023, 2003, 1037, 7953, 1997, 2616, 2, 102});
    LongBuffer ones = LongBuffer.wrap(new long[] {1, 1, 1, 1, 1, 1, 1, 1, 1});
    LongBuffer zeros = LongBuffer.allocate(LENGTH);
    try (OrtSession session = environment.createSession(model.toString());
        OnnxTensor ids = OnnxTensor.createTensor(environment, words, shape);
        OnnxTensor mask = OnnxTensor.createTensor(environment, ones, shape);
        OnnxTensor types = OnnxTensor.createTensor(environment, zeros, shape);
        OrtSession.Result result =
            session.run(
                Map.of("input_ids", ids, "attention_mask", mask, "token_type_ids", types))) {
      metadata.putAll(session.getMetadata().getCustomMetadata());
      FloatBuffer data = ((OnnxTensor) result.get(0)).getFloatBuffer();
      ImmutableList.Builder<Float> elements = ImmutableList.builder();
      while (data.hasRemaining()) {
        elements.add(data.get());
      }
      return elements.build();
    }
  }
}
