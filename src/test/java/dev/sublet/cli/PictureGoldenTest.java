package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sublet.cli.console.OutputPipe;
import dev.sublet.cli.console.Progress;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.console.Terminal;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pictures of small inputs. A folder of {@code testdata/picture} holds {@code in.program} (see
 * {@link dev.sublet.testing.text.ProgramText}) or {@code in.csv}; {@code command}, the verb and
 * further arguments, one a line; a {@code README} that says what must be seen; and what is
 * expected: {@code picture.svg}, the data of the page as {@code data.json}, a property a line, and
 * the {@code map.txt} of the plan, without color and then in color, ESC written as ␛.
 *
 * <p>With {@code -Dsublet.updateGoldens=true} the expected files are written: look at them.
 */
class PictureGoldenTest {

  private static final Path CASES = Path.of("testdata", "picture");
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  @TempDir private Path folder;

  @TestFactory
  List<DynamicTest> cases() {
    List<DynamicTest> tests = new ArrayList<>();
    for (GoldenCase golden : GoldenPrograms.in(CASES).byteForByte().cases()) {
      tests.add(DynamicTest.dynamicTest(golden.name(), () -> check(golden)));
    }
    assertThat(tests.size()).isAtLeast(7);
    return tests;
  }

  /** The picture at the top of the README. */
  @Test
  void thePictureOfTheExample_isTheOneInTheReadme() throws Exception {
    GoldenCase golden = GoldenPrograms.in(Path.of("testdata", "examples")).folder("mobile_block");
    byte[] svg = report(List.of("optimize"), golden.folder().resolve("program.textproto"), "svg");
    golden.expect().file("picture.svg", svg).check();
    assertThat(Files.readString(Path.of("README.md")))
        .contains("](testdata/examples/mobile_block/picture.svg)");
  }

  private void check(GoldenCase golden) throws Exception {
    Path entry = golden.folder();
    assertThat(Files.exists(entry.resolve("README"))).isTrue();
    Path input = input(entry);
    List<String> command = Files.readAllLines(entry.resolve("command"));

    byte[] svg = report(command, input, "svg");
    byte[] page = report(command, input, "html");

    assertThat(report(command, input, "svg")).isEqualTo(svg);
    assertThat(report(command, input, "html")).isEqualTo(page);
    checkXml(svg);
    golden
        .expect()
        .file("picture.svg", svg)
        .text("data.json", data(new String(page, UTF_8)))
        .text("map.txt", maps(command, input))
        .check();
  }

  private Path input(Path entry) throws IOException {
    Path program = entry.resolve("in.program");
    return Files.exists(program)
        ? CommandRun.write(folder.resolve("in.pdmodel"), Files.readString(program))
        : Files.copy(entry.resolve("in.csv"), folder.resolve("in.csv"));
  }

  private byte[] report(List<String> command, Path input, String extension) throws IOException {
    Path report = folder.resolve("picture." + extension);
    List<Object> arguments = new ArrayList<>(command);
    arguments.addAll(1, List.of(input, "--report", report, "-q"));
    CommandRun run = CommandRun.of(arguments.toArray());
    assertThat(run.errors()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(0);
    return Files.readAllBytes(report);
  }

  /** A parser of XML is who reads it in the end. */
  private static void checkXml(byte[] svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    assertThat(
            factory
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg))
                .getElementsByTagName("script")
                .getLength())
        .isEqualTo(0);
  }

  /** The data of a page, one property a line, those of stages too. */
  private static String data(String page) {
    String open = "<script type=\"application/json\" id=\"data\">";
    int begin = page.indexOf(open) + open.length();
    JsonObject data =
        JsonParser.parseString(page.substring(begin, page.indexOf("</script>", begin)))
            .getAsJsonObject();
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, JsonElement> property : data.entrySet()) {
      if (property.getKey().equals("stages")) {
        for (JsonElement stage : property.getValue().getAsJsonArray()) {
          append("stage ", stage.getAsJsonObject(), text);
        }
      } else if (property.getValue().isJsonObject()) {
        append(property.getKey() + " ", property.getValue().getAsJsonObject(), text);
      } else {
        text.append(property.getKey()).append(": ").append(GSON.toJson(property.getValue()));
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static void append(String prefix, JsonObject object, StringBuilder text) {
    for (Map.Entry<String, JsonElement> property : object.entrySet()) {
      text.append(prefix).append(property.getKey()).append(": ");
      text.append(GSON.toJson(property.getValue())).append('\n');
    }
  }

  /** What {@code plan} shows on a terminal of 64 characters, behind its table. */
  private static String maps(List<String> command, Path input) {
    List<String> arguments = new ArrayList<>(List.of("plan", input.toString(), "-q"));
    command.stream().skip(1).filter(s -> !s.startsWith("--level")).forEach(arguments::add);
    String table = onTerminal(arguments, Terminal.NONE);
    String plain = onTerminal(arguments, new Terminal(true, 64, false));
    String colored = onTerminal(arguments, new Terminal(true, 64, true));
    assertThat(plain).startsWith(table);
    assertThat(colored).startsWith(table);
    assertThat(colored.replaceAll("\u001B\\[[0-9;]*m", "")).isEqualTo(plain);
    assertThat(plain).doesNotContain("\u001B");
    return (plain + colored).replace(table, "").replace('\u001B', '␛');
  }

  private static String onTerminal(List<String> arguments, Terminal terminal) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(output, false, UTF_8);
    int exitCode =
        Main.run(
            arguments.toArray(new String[0]),
            new Streams(
                new ByteArrayInputStream(new byte[0]),
                stream,
                stream,
                terminal,
                Progress.NONE,
                OutputPipe.NONE));
    assertThat(exitCode).isEqualTo(0);
    return output.toString(UTF_8);
  }
}
