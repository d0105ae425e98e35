package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import com.google.protobuf.ByteString;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.proto.PlanRequest;
import dev.sublet.proto.PlanResponse;
import dev.sublet.proto.Status;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb, and the client of the README. */
class PluginCommandTest {

  @TempDir private Path folder;

  private static byte[] frame(byte[] message) {
    return ByteBuffer.allocate(4 + message.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(message.length)
        .put(message)
        .array();
  }

  private static byte[] request() {
    byte[] program = CommandRun.bytes(ProgramFormat.BINARY, CommandRun.CHAIN);
    return frame(
        PlanRequest.newBuilder()
            .setId(1)
            .setProgram(ByteString.copyFrom(program))
            .build()
            .toByteArray());
  }

  private static List<PlanResponse> responses(byte[] output) throws IOException {
    ByteBuffer frames = ByteBuffer.wrap(output).order(ByteOrder.LITTLE_ENDIAN);
    List<PlanResponse> responses = new ArrayList<>();
    while (frames.hasRemaining()) {
      byte[] message = new byte[frames.getInt()];
      frames.get(message);
      responses.add(PlanResponse.parseFrom(message));
    }
    return responses;
  }

  @Test
  void standardOutput_carriesOnlyFrames() throws IOException {
    CommandRun run = CommandRun.withInput(request(), "plugin");
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors()).isEmpty();
    assertThat(responses(run.output())).hasSize(1);
    assertThat(responses(run.output()).get(0).getStatus()).isEqualTo(Status.STATUS_OK);
    CommandRun nothing = CommandRun.of("plugin");
    assertThat(nothing.exitCode()).isEqualTo(0);
    assertThat(nothing.output()).isEmpty();
  }

  @Test
  void aBrokenFrame_isALastResponse_aLineAndExitCode3() throws IOException {
    CommandRun run = CommandRun.withInput(new byte[] {1, 2, 3, 4, 5}, "plugin");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors())
        .isEqualTo(
            "error: <stdin>: standard input ends after 1 of 67,305,985 bytes (64.19 MiB) of a request\n");
    assertThat(responses(run.output()).get(0).getStatus()).isEqualTo(Status.STATUS_UNREADABLE);

    CommandRun small = CommandRun.withInput(request(), "plugin", "--max-request", "16");
    assertThat(small.exitCode()).isEqualTo(3);
    assertThat(small.errors()).contains(", but at most 16 are allowed (--max-request)");
    assertThat(responses(small.output())).hasSize(1);
  }

  @Test
  void whereNobodyListens_itEnds() {
    byte[] three = new byte[3 * request().length];
    for (int i = 0; i < three.length; i++) {
      three[i] = request()[i % request().length];
    }
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("closed");
          }
        };
    ByteArrayInputStream input = new ByteArrayInputStream(three);
    java.io.ByteArrayOutputStream errors = new java.io.ByteArrayOutputStream();
    int exitCode =
        Main.run(
            new String[] {"plugin"},
            input,
            new PrintStream(closed, false, UTF_8),
            new PrintStream(errors, true, UTF_8));
    assertThat(exitCode).isEqualTo(2);
    assertThat(errors.toString(UTF_8))
        .isEqualTo("error: <stdout>: standard output cannot be written\n");
    assertThat(input.available()).isEqualTo(2 * request().length);
  }

  @Test
  void theClientInTheDocs_works() throws Exception {
    Matcher matcher =
        Pattern.compile("```python\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("docs", "plugin.md")));
    assertThat(matcher.find()).isTrue();
    String client = matcher.group(1);
    assertThat(client.lines().filter(line -> !line.isEmpty()).count()).isAtMost(10);
    String python = python();
    generateModules(python);
    Path sublet = folder.resolve("sublet");
    Files.writeString(
        sublet,
        "#!/bin/sh\nexec java -XX:+UseSerialGC -cp '%s' dev.sublet.cli.Main \"$@\"\n"
            .formatted(classPath()));
    Files.setPosixFilePermissions(sublet, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(folder.resolve("client.py"), client);
    CommandRun.write(folder.resolve("a.pdmodel"), CommandRun.CHAIN);
    Files.writeString(folder.resolve("b.pdmodel"), "no program");

    String output = run(List.of(python, "client.py", "a.pdmodel", "b.pdmodel", "a.pdmodel"));

    assertThat(output).isEqualTo("a.pdmodel 0 [3072]\nb.pdmodel 3 []\na.pdmodel 0 [3072]\n");
  }

  /** That of this process; in it paths may be relative to another folder. */
  private static String classPath() {
    List<String> paths = new ArrayList<>();
    for (String path :
        Splitter.on(File.pathSeparatorChar).split(System.getProperty("java.class.path"))) {
      paths.add(Path.of(path).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, paths);
  }

  /** The first Python that has protobuf. */
  private String python() throws Exception {
    for (String candidate : List.of("python3", "/usr/bin/python3")) {
      try {
        if (run(List.of(candidate, "-c", "import google.protobuf; print('ok')")).equals("ok\n")) {
          return candidate;
        }
      } catch (IOException e) {
        // Not there.
      }
    }
    assumeTrue(false, "skipped: there is no python3 with protobuf (python3-protobuf)");
    throw new AssertionError("assumed above");
  }

  /** As the README says, with a protoc whose modules this Python's protobuf can load. */
  private void generateModules(String python) throws Exception {
    String proto = Path.of("proto").toAbsolutePath().toString();
    String said;
    try {
      said = run(List.of("protoc", "-I", proto, "--python_out=.", "plan.proto", "plugin.proto"));
    } catch (IOException e) {
      said = "no protoc";
    }
    boolean loaded =
        said.isEmpty()
            && run(List.of(python, "-c", "import plugin_pb2; print('ok')")).equals("ok\n");
    assumeTrue(loaded, "skipped: there is no protoc for this python3 (protobuf-compiler): " + said);
  }

  private String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return output;
  }
}
