package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the README tells CI to run, run: its very text, by a shell, in a folder where {@code
 * ./sublet} is this build.
 */
class ReadmeTest {

  private static final String BEFORE_SNIPPET = " In CI:";

  @TempDir private Path folder;

  /** What a shell did. */
  private record ShellRun(int exitCode, String output) {}

  @BeforeEach
  void makeSublet() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "skipped: there is no /bin/sh");
    Path launcher = folder.resolve("sublet");
    Files.writeString(
        launcher,
        "#!/bin/sh\nexec '%s/bin/java' -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
            .formatted(
                System.getProperty("java.home"), classPath(), Main.class.getCanonicalName()));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The path of this run; its relative parts are not relative to the folder of the script. */
  private static String classPath() {
    List<String> parts = new ArrayList<>();
    for (String part : System.getProperty("java.class.path").split(":", -1)) {
      parts.add(Path.of(part).toAbsolutePath().toString());
    }
    return String.join(":", parts);
  }

  /** The lines of code behind the words that announce them. */
  private static List<String> snippet() throws IOException {
    List<String> code = new ArrayList<>();
    boolean isBehind = false;
    for (String line : Files.readAllLines(Path.of("README.md"))) {
      if (isBehind && line.startsWith("    ")) {
        code.add(line.strip());
      } else if (isBehind && !line.isBlank()) {
        break;
      }
      isBehind |= line.endsWith(BEFORE_SNIPPET);
    }
    return code;
  }

  private ShellRun run(List<String> lines) throws IOException, InterruptedException {
    Path script = Files.write(folder.resolve("script"), lines);
    Process process =
        new ProcessBuilder("/bin/sh", "-eu", script.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new ShellRun(process.waitFor(), output);
  }

  /** A program whose arena holds three variables of a size. */
  private void writeModel(int elements) throws IOException {
    CommandRun.write(
        folder.resolve("model.pdmodel"),
        CommandRun.CHAIN.replace("fp32[256]", "fp32[" + elements + "]"));
  }

  @Test
  void theGateForCi_passesAndFails() throws Exception {
    List<String> snippet = snippet();
    assertThat(snippet).hasSize(4);
    List<String> gate = snippet.subList(2, 4);
    assertThat(gate.get(1)).startsWith("./sublet check ");

    writeModel(10_000);
    ShellRun all = run(snippet);
    assertWithMessage(all.output()).that(all.exitCode()).isEqualTo(0);
    assertThat(all.output()).endsWith("\nok\n");

    // Main's plan stays, the model changes.
    writeModel(10_100);
    assertThat(run(gate)).isEqualTo(new ShellRun(0, "ok\n"));
    writeModel(10_400);
    ShellRun grown = run(gate);
    assertThat(grown.exitCode()).isEqualTo(1);
    assertThat(grown.output()).contains(" of the baseline; at most 2% more are allowed");
    assertThat(grown.output().lines().count()).isEqualTo(1);
    writeModel(40_000);
    ShellRun large = run(gate);
    assertThat(large.exitCode()).isEqualTo(1);
    assertThat(large.output()).contains(" more than the limit of 262,144 (256.00 KiB)");
    assertThat(large.output().lines().count()).isEqualTo(2);
  }
}
