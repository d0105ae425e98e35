package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.sublet.cli.Main;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.testing.text.ProgramText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads every model of {@code testdata/onnx} and compares the program that it is, and what {@code
 * optimize} writes and prints, with the files beside it.
 *
 * <p>A case holds {@code model.textproto}, a {@code README} that says what is right, perhaps {@code
 * options}, one a line, and the expected {@code program.txt} (in the text language of the tests),
 * {@code plan.json}, {@code metadata.txt} (the entries that the annotated model has more) and
 * {@code report.txt}. With {@code -Dsublet.updateGoldens=true} these are written: review the diff.
 */
final class OnnxGoldenTest {

  @TempDir Path scratch = Path.of("");

  @TestFactory
  Stream<DynamicTest> models() {
    ImmutableList<GoldenCase> cases =
        GoldenPrograms.in(Path.of("testdata", "onnx")).byteForByte().cases();
    assertThat(cases.size()).isAtLeast(10);
    return cases.stream()
        .map(golden -> DynamicTest.dynamicTest(golden.name(), () -> check(golden)));
  }

  private void check(GoldenCase golden) throws IOException {
    Path folder = golden.folder();
    assertWithMessage("%s says what is right", folder)
        .that(Files.exists(folder.resolve("README")))
        .isTrue();
    Path model = folder.resolve("model.textproto");
    Path out = scratch.resolve(folder.getFileName() + ".textproto");
    Path plan = scratch.resolve(folder.getFileName() + ".json");
    List<String> arguments =
        new ArrayList<>(
            List.of("optimize", model.toString(), "-o", out.toString(), "--plan", plan.toString()));
    Path options = folder.resolve("options");
    if (Files.exists(options)) {
      arguments.addAll(Files.readAllLines(options));
    }
    String printed = sublet(arguments);
    golden
        .expect()
        .text("program.txt", ProgramText.print(ProgramReader.read(model)))
        .text("plan.json", Files.readString(plan))
        .text("report.txt", printed.replace(scratch + "/", ""))
        .text("metadata.txt", metadata(model, out))
        .nothingElse("README", "options", "model.textproto")
        .check();
    // The annotated model is the same program, and its plan a plan for both.
    assertThat(sublet(List.of("diff", model.toString(), out.toString(), "-q"))).isEqualTo("same\n");
    List<String> verify =
        new ArrayList<>(List.of("verify", out.toString(), "--plan", plan.toString()));
    if (Files.exists(options)) {
      verify.addAll(Files.readAllLines(options));
    }
    assertThat(sublet(verify)).endsWith("valid\n");
  }

  /** What the annotated model has more than the model. */
  private static String metadata(Path model, Path annotated) throws IOException {
    List<String> before = new ArrayList<>();
    for (String line : Files.readAllLines(model)) {
      before.add(line.strip());
    }
    StringBuilder added = new StringBuilder();
    for (String line : Files.readAllLines(annotated)) {
      if ((line.strip().startsWith("value: ") && !before.contains(line.strip()))
          || line.contains("key: \"sublet.")) {
        added.append(line.strip()).append('\n');
      }
    }
    return added.toString();
  }

  private static String sublet(List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(out, true, UTF_8);
    int exitCode =
        Main.run(
            arguments.toArray(new String[0]),
            new ByteArrayInputStream(new byte[0]),
            stream,
            stream);
    assertWithMessage(out.toString(UTF_8)).that(exitCode).isEqualTo(0);
    return out.toString(UTF_8);
  }
}
