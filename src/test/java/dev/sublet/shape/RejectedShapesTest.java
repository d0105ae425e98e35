package dev.sublet.shape;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sublet.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs with a branch or a loop in which an operator rejects the given shapes, or seems to, in
 * {@code testdata/rejections/*.program}. The first lines are the shape of the plan, the shapes of
 * other runs, and the variables that are never made or not planned for the shape of the plan.
 */
final class RejectedShapesTest {

  private static final Splitter WORDS = Splitter.on(' ').omitEmptyStrings();

  @TempDir Path folder = Path.of("");

  static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("testdata", "rejections"))) {
      return files.sorted().toList();
    }
  }

  private static List<String> header(List<String> lines, String key) {
    List<String> words = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("# " + key)) {
        words.addAll(WORDS.splitToList(line.substring(key.length() + 2)));
      }
    }
    return words;
  }

  private Path write(List<String> lines) throws IOException {
    Path input = folder.resolve("in.textproto");
    String[] program = lines.stream().filter(each -> !each.startsWith("#")).toArray(String[]::new);
    CommandRun.write(input, program);
    return input;
  }

  @ParameterizedTest
  @MethodSource("programs")
  void plan_namesWhatIsNeverMade(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String shape = header(lines, "given").get(0);
    Path plan = folder.resolve("plan.json");
    CommandRun run = CommandRun.of("plan", write(lines), "--shape", shape, "-o", plan);
    assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);

    Set<String> neverMade = new TreeSet<>();
    Set<String> notPlanned = new TreeSet<>();
    JsonObject json = JsonParser.parseString(Files.readString(plan)).getAsJsonObject();
    for (JsonElement each : json.getAsJsonArray("unplanned")) {
      String name = each.getAsJsonObject().get("variable").getAsString();
      String reason = each.getAsJsonObject().get("reason").getAsString();
      if (reason.startsWith("never made")) {
        neverMade.add(name);
      } else if (reason.startsWith("size unknown")) {
        notPlanned.add(name);
      }
    }
    assertWithMessage(plan.toString())
        .that(neverMade)
        .containsAtLeastElementsIn(header(lines, "never made"));
    assertWithMessage("not planned")
        .that(notPlanned)
        .containsAtLeastElementsIn(header(lines, "not planned"));
    assertWithMessage("not planned")
        .that(notPlanned.isEmpty())
        .isEqualTo(header(lines, "not planned").isEmpty());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void run_isTheSameInsideTheArena(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Path input = write(lines);
    List<String> shapes = new ArrayList<>(header(lines, "given"));
    shapes.addAll(header(lines, "others"));
    for (String shape : shapes) {
      CommandRun run = CommandRun.of("run", input, "--shape", shape, "--compare");
      assertWithMessage(run.text() + run.errors()).that(run.exitCode()).isEqualTo(0);
    }
  }

  /** A program that is rewritten for the shapes of one run computes the same for others. */
  @ParameterizedTest
  @MethodSource("programs")
  void rewrittenProgram_isRightForOtherShapes(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Path input = write(lines);
    Path output = folder.resolve("out.textproto");
    String given = header(lines, "given").get(0);
    CommandRun rewriting = CommandRun.of("optimize", input, "-o", output, "--shape", given);
    assertWithMessage(rewriting.errors()).that(rewriting.exitCode()).isEqualTo(0);

    for (String shape : header(lines, "others")) {
      CommandRun original = CommandRun.of("run", input, "--shape", shape);
      CommandRun rewritten = CommandRun.of("run", output, "--shape", shape);
      assertWithMessage(original.errors()).that(original.exitCode()).isEqualTo(0);
      assertWithMessage(shape).that(rewritten.text()).isEqualTo(original.text());
    }
  }
}
