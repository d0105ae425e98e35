package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What only a process of its own shows: signals, pipes that are closed, streams that were never
 * open, a heap that is too small. Each test runs {@code ./sublet} itself, with the classes of this
 * build instead of the jar.
 */
class ProcessTest {

  private static final String SUBSTITUTE =
      """
      #!/bin/sh
      for word; do
        shift
        case $word in
          -jar) set -- "$@" -cp '%s' ;;
          *sublet-all.jar) set -- "$@" dev.sublet.cli.Main ;;
          *) set -- "$@" "$word" ;;
        esac
      done
      exec '%s' "$@"
      """;

  @TempDir private static Path project;

  @TempDir private Path folder;

  @BeforeAll
  static void makeProject() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    script("sublet", Files.readString(Path.of("sublet")));
    script("bin/java", SUBSTITUTE.formatted(classPath(), java));
    for (String source : List.of("pom.xml", "proto/none", "src/main/none", "target/none")) {
      Files.createDirectories(project.resolve(source).getParent());
      Files.createFile(project.resolve(source));
    }
    Files.createFile(project.resolve("target/sublet-all.jar"));
  }

  private static void script(String name, String text) throws IOException {
    Files.createDirectories(project.resolve(name).getParent());
    Files.writeString(project.resolve(name), text);
    Files.setPosixFilePermissions(
        project.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String classPath() {
    List<String> paths = new ArrayList<>();
    for (String path :
        Splitter.on(File.pathSeparatorChar).split(System.getProperty("java.class.path"))) {
      paths.add(Path.of(path).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, paths);
  }

  @BeforeEach
  void makeProgram() throws IOException {
    CommandRun.write(folder.resolve("in.pdmodel"), CommandRun.CHAIN);
  }

  /** Starts a line of the shell; {@code sublet} is the launcher. Standard error is a file. */
  private Process start(String line) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", line).directory(folder.toFile()).redirectError(errorFile());
    builder.environment().put("JAVA_HOME", project.toString());
    builder.environment().put("PATH", project + ":" + System.getenv("PATH"));
    return builder.start();
  }

  private File errorFile() {
    return project.resolve("stderr").toFile();
  }

  /** The exit code of a process, for which nobody waits longer than a minute. */
  private static int exitCode(Process process) throws InterruptedException {
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("the process does not end");
    }
    return process.exitValue();
  }

  private void expect(String line, int exitCode, String errors) throws Exception {
    Process process = start(line);
    process.getOutputStream().close();
    process.getInputStream().readAllBytes();
    assertWithMessage(line).that(exitCode(process)).isEqualTo(exitCode);
    assertWithMessage(line).that(Files.readString(errorFile().toPath())).isEqualTo(errors);
  }

  private void makePipe(String name) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", folder + "/" + name).start().waitFor()).isEqualTo(0);
  }

  private ImmutableList<String> files() throws IOException {
    return ImmutableList.copyOf(CommandRun.filesIn(folder));
  }

  /** Whether this process ignores a signal, and so the processes that it starts do, too. */
  private static boolean isIgnored(int signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:")) {
        long ignored = Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16);
        return (ignored >> (signal - 1) & 1) == 1;
      }
    }
    return false;
  }

  /** The second output is a pipe that nobody reads: it waits there, and the first one is staged. */
  @ParameterizedTest
  @CsvSource({
    "TERM, 143, optimize in.pdmodel -o out.pdmodel --plan pipe.json",
    "INT,  130, optimize in.pdmodel -o out.pdmodel --report pipe.svg --plan plan.json",
    "HUP,  129, plan in.pdmodel -o plan.json --report pipe.svg",
  })
  void aSignal_leavesNothing(String signal, int exitCode, String arguments) throws Exception {
    assumeFalse(isIgnored(exitCode - 128), signal + " is ignored here, as under nohup");
    makePipe("pipe.json");
    makePipe("pipe.svg");
    ImmutableList<String> before = files();
    Process process = start("exec sublet " + arguments);
    while (process.isAlive() && files().equals(before)) {
      Thread.sleep(5);
    }

    new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();

    assertThat(exitCode(process)).isEqualTo(exitCode);
    assertThat(files()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "0, ops",
    "0, ops --json",
    "0, --help",
    "0, liveness in.pdmodel",
    "0, convert in.pdmodel -o -",
    "1, diff in.pdmodel other.pdmodel",
    "0, plugin",
  })
  void aReaderThatGoes_isNoError(int exitCode, String arguments) throws Exception {
    CommandRun.write(
        folder.resolve("other.pdmodel"), CommandRun.CHAIN.replace("fetch(d)", "fetch(c)"));
    Process process = start("exec sublet " + arguments);
    process.getInputStream().close();
    if (arguments.equals("plugin")) {
      // Wrong requests, each answered; the host that sends them stays.
      process.getOutputStream().write(new byte[] {1, 0, 0, 0, 0});
      process.getOutputStream().flush();
    }

    assertThat(exitCode(process)).isEqualTo(exitCode);
    assertThat(Files.readString(errorFile().toPath())).isEmpty();
  }

  @Test
  void aReaderThatGoes_doesNotKeepFilesFromBeingWritten() throws Exception {
    Process process = start("exec sublet plan in.pdmodel -o - -q --report plan.svg");
    process.getInputStream().close();

    assertThat(exitCode(process)).isEqualTo(0);
    assertThat(files()).containsExactly("in.pdmodel", "plan.svg");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ops", "--version", "plan in.pdmodel -q -o - --report plan.svg"})
  void aFullDisk_isAnError(String arguments) throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "skipped: there is no /dev/full");
    expect(
        "exec sublet " + arguments + " >/dev/full",
        2,
        "error: <stdout>: standard output cannot be written: No space left on device\n");
    assertThat(files()).containsExactly("in.pdmodel");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plugin", "inspect -", "convert - -o out.json", "micro -"})
  void closedStandardInput_isNotRead(String arguments) throws Exception {
    expect("exec sublet " + arguments + " <&-", 2, "error: <stdin>: standard input is closed\n");
    assertThat(files()).containsExactly("in.pdmodel");
  }

  @Test
  void closedStreams_thatNobodyNeeds_areNoError() throws Exception {
    expect("exec sublet convert in.pdmodel -o out.textproto <&- >&- 2>&-", 0, "");
    assertThat(files()).containsExactly("in.pdmodel", "out.textproto");
    expect("exec sublet inspect in.pdmodel <&-", 0, "");
    expect("exec sublet inspect none 2>&-", 3, "");
  }

  @Test
  void closedStandardOutput_isAnError() throws Exception {
    String error = "error: <stdout>: standard output cannot be written: it is closed\n";
    expect("exec sublet ops >&-", 2, error);
    expect("exec sublet convert in.pdmodel -o - >&-", 2, error);
  }

  @Test
  void aHeapThatIsTooSmall_isALimitOfTheMachine() throws Exception {
    CommandRun.write(
        folder.resolve("large.pdmodel"),
        "block 0",
        "feed x: fp32[100000000]",
        "y = relu(x)",
        "fetch(y)");
    expect(
        "SUBLET_JAVA_OPTS=-Xmx64m exec sublet run large.pdmodel",
        4,
        "error: out of memory: the Java heap of 61 MiB is too small; enlarge it, for example with"
            + " SUBLET_JAVA_OPTS=-Xmx1g\n");
  }
}
