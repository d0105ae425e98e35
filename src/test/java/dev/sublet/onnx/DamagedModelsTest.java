package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.TextFormat;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.testing.Fallbacks;
import dev.sublet.testing.LongForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever is wrong with a model, reading and planning it ends with a plan or with one line about
 * it, never with an exception of another type.
 */
final class DamagedModelsTest {

  private static final int DAMAGES = LongForm.tries(/* usual= */ 130, /* all= */ 400);

  private static ImmutableList<byte[]> models() throws IOException {
    List<byte[]> models = new ArrayList<>();
    try (Stream<Path> folders = Files.list(Path.of("testdata", "onnx"))) {
      for (Path folder : folders.sorted().toList()) {
        ModelProto.Builder model = ModelProto.newBuilder();
        TextFormat.merge(Files.readString(folder.resolve("model.textproto")), model);
        models.add(model.build().toByteArray());
      }
    }
    for (long seed = 0; seed < 10; seed++) {
      models.add(RandomModels.of(seed).toByteArray());
    }
    return ImmutableList.copyOf(models);
  }

  /** Whether it could be read; whatever it then is, it can be planned. */
  private static boolean read(byte[] model, String what) {
    try {
      Program program = ProgramReader.parse(model, "f");
      Fallbacks.assertNone(
          Transpiler.plan(program, TranspileOptions.defaults()).diagnostics(), what);
      return true;
    } catch (ProgramException e) {
      assertWithMessage(what).that(String.valueOf(e.getMessage()).lines().count()).isEqualTo(1);
      return false;
    } catch (RuntimeException e) {
      throw new AssertionError(what, e);
    }
  }

  /** As many ends as starts is what ONNX demands; the view's rule took it for granted. */
  @Test
  void sliceWithFewEnds_isPlannedWithoutThatSize() {
    byte[] model =
        """
        ir_version: 8 opset_import { version: 17 }
        graph { name: "g"
          initializer { name: "s" data_type: 7 dims: 1 int64_data: 0 }
          initializer { name: "e" data_type: 7 dims: 0 }
          input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } }
          output { name: "y" type { tensor_type { elem_type: 1 shape { dim { dim_value: 4 } } } } }
          node { op_type: "Slice" input: "x" input: "s" input: "e" output: "t" }
          node { op_type: "Relu" input: "t" output: "y" }
        }
        """
            .getBytes(UTF_8);
    MemoryPlan plan =
        Transpiler.plan(ProgramReader.parse(model, "f"), TranspileOptions.defaults()).plan();
    assertThat(plan.unplanned().stream().map(Unplanned::reason).toList())
        .contains(
            "size unknown: the declared shapes contradict op 'Slice':"
                + " 1 starts and 0 ends along 1 axes");
  }

  @Test
  void changedBytes() throws IOException {
    int readable = 0;
    int refused = 0;
    int number = 0;
    for (byte[] model : models()) {
      Random random = new Random(number);
      for (int i = 0; i < DAMAGES; i++) {
        byte[] damaged = model.clone();
        for (int k = 0; k <= random.nextInt(3); k++) {
          damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
        }
        if (read(damaged, "model " + number + ", damage " + i)) {
          readable++;
        } else {
          refused++;
        }
      }
      number++;
    }
    assertThat(readable).isGreaterThan(number * DAMAGES / 20);
    assertThat(refused).isGreaterThan(number * DAMAGES / 20);
  }

  @Test
  void truncations() throws IOException {
    int number = 0;
    for (byte[] model : models()) {
      for (int length = 1; length < model.length; length += 1 + length / 50) {
        byte[] truncated = Arrays.copyOf(model, length);
        read(truncated, "model " + number + ", " + length + " bytes");
      }
      number++;
    }
  }
}
