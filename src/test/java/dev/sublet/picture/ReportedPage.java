package dev.sublet.picture;

import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sublet.cli.Main;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.testing.text.ProgramText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Pages as the command line writes them. */
final class ReportedPage {

  private ReportedPage() {}

  /** Runs a verb with {@code --report}, and returns the page. */
  static Path write(Path folder, String name, Object... arguments) throws IOException {
    Path page = folder.resolve(name + ".html");
    List<Object> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(List.of("--report", page, "-q"));
    run(0, all.toArray());
    return page;
  }

  /** Runs the command line, which must end with an exit code, and returns what it prints. */
  static String run(int exitCode, Object... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int ended =
        Main.run(
            Arrays.stream(arguments).map(Object::toString).toArray(String[]::new),
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(output, true, UTF_8),
            new PrintStream(errors, true, UTF_8));
    assertWithMessage(errors.toString(UTF_8)).that(ended).isEqualTo(exitCode);
    return output.toString(UTF_8);
  }

  /** Writes a program in text as a binary one. */
  static Path program(Path folder, String name, Path text) throws IOException {
    return Files.write(
        folder.resolve(name + ".pdmodel"),
        ProgramWriter.toBytes(
            ProgramText.parse(Files.readString(text)), ProgramFormat.BINARY, new DiagnosticLog()));
  }
}
