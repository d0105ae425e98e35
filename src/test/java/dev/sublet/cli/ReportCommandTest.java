package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sublet.cli.console.OutputPipe;
import dev.sublet.cli.console.Progress;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.console.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verb {@code report}, and the option {@code --report} of the others. */
class ReportCommandTest {

  @TempDir private Path folder;
  private Path input;
  private Path plan;

  @BeforeEach
  void writeAPlan() throws IOException {
    input = CommandRun.write(folder.resolve("in.pdmodel"), CommandRun.CHAIN);
    plan = folder.resolve("plan.json");
    assertThat(CommandRun.of("plan", input, "-o", plan, "-q").exitCode()).isEqualTo(0);
  }

  private void assertRefused(CommandRun run, int exitCode, String message) throws IOException {
    assertThat(run.errors()).isEqualTo("error: " + message + "\n");
    assertThat(run.exitCode()).isEqualTo(exitCode);
    assertThat(run.text()).isEmpty();
    for (String file : CommandRun.filesIn(folder)) {
      assertThat(file).doesNotContain("out");
    }
  }

  @Test
  void aPlanAlone_hasNumberedOperators() throws IOException {
    CommandRun run = CommandRun.of("report", plan, "-o", folder.resolve("out.svg"));

    assertThat(run.errors()).isEmpty();
    assertThat(run.text()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(0);
    String svg = Files.readString(folder.resolve("out.svg"));
    assertThat(svg).contains(">plan.json</text>");
    assertThat(svg).contains("5.00 KiB → 3.00 KiB: 60.0 % of before. No plan is smaller.");
    assertThat(svg).contains("<title>b: 1,024 bytes (1.00 KiB) at ");
    assertThat(svg).contains(">op</text>");
  }

  @Test
  void aPlanWithItsProgram_isThePictureThatPlanDraws() throws IOException {
    CommandRun run =
        CommandRun.of("report", plan, "--program", input, "-o", folder.resolve("out.html"));
    assertThat(run.errors()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(0);
    CommandRun.of("plan", input, "--report", folder.resolve("other.html"), "-q");

    assertThat(folder.resolve("out.html").toFile().length()).isGreaterThan(10_000L);
    assertThat(Files.readString(folder.resolve("out.html")))
        .isEqualTo(Files.readString(folder.resolve("other.html")));
    assertThat(Files.readString(folder.resolve("out.html"))).contains("fused_feedforward");
  }

  /** One run can draw a page and a picture for documents. */
  @Test
  void severalReports_areAllWritten_orNone() throws IOException {
    Path page = folder.resolve("out.html");
    Path picture = folder.resolve("out.svg");
    for (String verb : List.of("plan", "optimize")) {
      CommandRun run = CommandRun.of(verb, input, "--report", page, "--report", picture, "-q");
      assertThat(run.errors()).isEmpty();
      assertThat(run.exitCode()).isEqualTo(0);
      assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>");
      assertThat(Files.readString(picture)).contains("<svg ");
      Files.delete(page);
      Files.delete(picture);
    }

    assertRefused(
        CommandRun.of("plan", input, "--report", page, "--report", folder.resolve("out.png")),
        2,
        "'" + folder.resolve("out.png") + "' is not the name of a picture; name it .html or .svg");
    assertRefused(
        CommandRun.of("plan", input, "--report", page, "--report", page),
        2,
        page + ": two outputs go to this file");
  }

  @Test
  void withoutOutput_aMapIsPrinted() {
    CommandRun run = CommandRun.of("report", plan, "--program", input);

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text().lines().count()).isAtLeast(20);
    assertThat(run.text()).contains("6 operators; peak: 3.00 KiB");
    assertThat(run.text()).doesNotContain("\u001B");
    assertThat(CommandRun.of("report", plan, "--color", "always").text()).contains("\u001B[30;48");
  }

  @Test
  void standardStreams_carryPlanAndPage() throws IOException {
    CommandRun run = CommandRun.withInput(Files.readAllBytes(plan), "report", "-", "-o", "-");

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.text()).startsWith("<!DOCTYPE html>\n");
    assertThat(run.text()).endsWith("</html>\n");
  }

  @Test
  void aTableWithOffsets_isDrawn_oneWithoutIsRefused() throws IOException {
    Path table = folder.resolve("buffers.csv");
    Files.writeString(table, "id,lower,upper,size,offset\na,0,4,64,0\nb,2,6,32,64\nc,4,9,64,0\n");
    CommandRun run = CommandRun.of("report", table, "-o", folder.resolve("picture.svg"));
    assertThat(run.errors()).isEmpty();
    assertThat(Files.readString(folder.resolve("picture.svg")))
        .contains("160 B → 96 B: 60.0 % of before.");

    Files.writeString(table, "id,lower,upper,size,offset\na,0,4,64,0\nb,2,6,32,\n");
    assertRefused(
        CommandRun.of("report", table, "-o", folder.resolve("out.svg")),
        3,
        table + ": 3:10: the buffer 'b' has no offset; 'plan' gives it one");
    assertRefused(
        CommandRun.of("report", table, "--program", input),
        2,
        "--program is for programs, but " + table + " is a table of buffers");
  }

  @Test
  void whatIsNoPlanOfTheProgram_isRefused() throws IOException {
    Path other =
        CommandRun.write(
            folder.resolve("b.pdmodel"),
            CommandRun.CHAIN.replace("b = ", "a = ").replace("(b, b)", "(a, a)"));
    Path out = folder.resolve("out.html");
    CommandRun run = CommandRun.of("report", plan, "--program", other, "-o", out);
    assertThat(run.errors()).startsWith("error: " + plan + ": the plan is for a program with SHA-");
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(3);

    Path broken = Files.writeString(folder.resolve("broken.json"), "{\"allocations\": [{}]}");
    run = CommandRun.of("report", broken, "-o", out);
    assertThat(run.errors()).startsWith("error: " + broken + ": ");
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(3);
    assertRefused(
        CommandRun.of("report", folder.resolve("none"), "-o", out),
        3,
        folder.resolve("none") + ": no such file");
    assertThat(Files.exists(out)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"begin\":0,      | \"begin\":-4,         | live begins at -4, before its program",
        "\"end\":12        | \"end\":2147483647    | it is live in [0, 2147483647), but time ends",
        "\"offset\":0,     | \"offset\":3072,      | it has 1,024 bytes (1.00 KiB) at offset 3072, but its arena",
        "\"bytes\":1024,   | \"bytes\":4096,        | it has 4,096 bytes (4.00 KiB) at offset 0, but its arena",
      })
  void aPlanOutsideOfAnyPicture_isRefused(String old, String now, String message)
      throws IOException {
    String text = Files.readString(plan);
    assertThat(text).contains(old);
    Path broken = Files.writeString(folder.resolve("b.json"), text.replaceFirst(old, now));

    for (CommandRun run :
        List.of(
            CommandRun.of("report", broken, "-o", folder.resolve("out.svg")),
            CommandRun.of("report", broken, "--program", input, "-o", folder.resolve("out.svg")))) {
      assertThat(run.errors())
          .startsWith("error: " + broken + ": allocations[0] ('x'): " + message);
      assertThat(run.errorLines()).hasSize(1);
      assertThat(run.exitCode()).isEqualTo(3);
      assertThat(Files.exists(folder.resolve("out.svg"))).isFalse();
    }
  }

  @Test
  void aTableOfMoreBytesThanCanBeCounted_isRefused() throws IOException {
    Path table = folder.resolve("buffers.csv");
    Files.writeString(
        table,
        """
        id,lower,upper,size,offset
        a,0,4,9000000000000000000,0
        b,2,6,9000000000000000000,0
        """);
    assertRefused(
        CommandRun.of("report", table), 3, table + ": 3:7: that is more bytes than can be counted");
  }

  @Test
  void whatCannotBeWritten_leavesNothing() throws IOException {
    Path nowhere = folder.resolve("missing").resolve("x.html");
    Path out = folder.resolve("out.json");
    String message = nowhere + ": the directory " + nowhere.getParent() + " does not exist";

    assertRefused(CommandRun.of("report", plan, "-o", nowhere), 2, message);
    assertRefused(CommandRun.of("plan", input, "-o", out, "--report", nowhere), 2, message);
    assertRefused(
        CommandRun.of("optimize", input, "-o", out, "--report", nowhere, "-q"), 2, message);
    assertRefused(
        CommandRun.of("plan", input, "-o", out, "--report", folder.resolve("x.png")),
        2,
        "'" + folder.resolve("x.png") + "' is not the name of a picture; name it .html or .svg");
  }

  @Test
  void optimize_mayWriteAPictureAlone() {
    CommandRun run = CommandRun.of("optimize", input, "--report", folder.resolve("out.svg"));

    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors()).isEmpty();
    assertThat(run.text()).startsWith("memory ");
    assertThat(folder.resolve("out.svg").toFile().length()).isGreaterThan(1_000L);
  }

  @Test
  void optimize_sendsAPageToStandardOutput_andTheTableAside() {
    CommandRun run = CommandRun.of("optimize", input, "--report", "-");

    assertThat(run.text()).startsWith("<!DOCTYPE html>");
    assertThat(run.errors()).startsWith("memory ");
  }

  @Test
  void plan_showsAMapOnlyOnATerminal() {
    Terminal terminal = new Terminal(true, 80, true);
    assertThat(onTerminal(terminal, "plan", input.toString())).contains("\u001B[30;48;5;");
    assertThat(onTerminal(terminal, "plan", input.toString(), "--color", "never"))
        .contains(" operators; peak");
    assertThat(onTerminal(terminal, "plan", input.toString(), "--color", "never"))
        .doesNotContain("\u001B");
    // NO_COLOR.
    assertThat(onTerminal(new Terminal(true, 80, false), "plan", input.toString()))
        .doesNotContain("\u001B");
    assertThat(onTerminal(terminal, "plan", input.toString(), "--json")).doesNotContain("│");
    assertThat(onTerminal(terminal, "plan", input.toString(), "-o", "-")).doesNotContain("│");
    assertThat(onTerminal(Terminal.NONE, "plan", input.toString())).doesNotContain("│");
    assertThat(onTerminal(Terminal.NONE, "plan", input.toString(), "--color", "always"))
        .contains("\u001B[30;48;5;");
  }

  /** The map of a wider terminal is wider, but no line is longer than the terminal. */
  @Test
  void theMap_fitsTheTerminal() {
    for (int width : new int[] {0, 40, 47, 80, 100, 159, 4000}) {
      String map = onTerminal(new Terminal(true, width, false), "report", plan.toString());
      int longest =
          map.lines().filter(l -> l.contains("│")).mapToInt(String::length).max().orElse(0);
      assertThat(longest).isAtMost(Math.min(160, Math.max(40, width)));
      assertThat(longest).isAtLeast(Math.min(160, Math.max(40, width)) - 14);
    }
  }

  private static String onTerminal(Terminal terminal, String... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(output, false, UTF_8);
    Main.run(
        arguments,
        new Streams(
            new ByteArrayInputStream(new byte[0]),
            stream,
            stream,
            terminal,
            Progress.NONE,
            OutputPipe.NONE));
    return output.toString(UTF_8);
  }
}
