package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.operator.InPlaceOptions;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs of forward and gradient operators whose outputs could take their inputs' names:
 * gradients of sums that broadcast in the middle, {@code scatter_grad} of old programs on a newer
 * runtime. What is written gives the bits of the original in the real Paddle.
 */
final class InPlaceProgramsTest {

  private static final Path FOLDER = Path.of("testdata", "facts", "programs");

  private static final ImmutableList<InPlaceOptions> IN_PLACE =
      ImmutableList.of(
          InPlaceOptions.defaults(),
          new InPlaceOptions(InPlaceMode.VERIFIED, /* runtime= */ 2_003_002),
          new InPlaceOptions(InPlaceMode.TABLE, /* runtime= */ 0));

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  static List<String> programs() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void rewrittenProgram_givesEqualBits(String name) {
    Program program = ProgramReader.read(FOLDER.resolve(name));
    Model model = Model.withRandomParameters(name, program, feeds(program));
    List<Program> programs = new ArrayList<>(List.of(program));
    for (InPlaceOptions inPlace : IN_PLACE) {
      TranspileOptions options = TranspileOptions.defaults().withInPlace(inPlace);
      programs.add(Transpiler.transpile(program, options).program());
    }
    ImmutableList<PaddleBatch.Result> results = PaddleBatch.run(model, programs, Mode.PLAIN);
    PaddleBatch.Result expected = results.get(0);
    assertWithMessage("%s", expected.failure()).that(expected.outputs()).isNotEmpty();
    for (int i = 0; i < IN_PLACE.size(); i++) {
      assertWithMessage("%s", IN_PLACE.get(i))
          .that(results.get(i + 1).differencesFrom(expected))
          .isEmpty();
    }
  }

  /** Ones for integers, which are indices, and numbers below 1 for floats. */
  private static Feeds feeds(Program program) {
    Feeds feeds = Feeds.none();
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("feed")) {
        Variable variable = program.variable(operation.output(0));
        TensorType type = variable.tensorType().orElseThrow();
        feeds =
            type.dataType() == DataType.INT64
                ? feeds.with(variable.name(), ones(type.dims()))
                : feeds.withImage(variable.name(), type.dims().toArray());
      }
    }
    return feeds;
  }

  private static TensorData ones(ImmutableLongArray dims) {
    long[] values = new long[Math.toIntExact(TensorData.elements(dims))];
    Arrays.fill(values, 1);
    return TensorData.ofLongs(dims, values);
  }
}
