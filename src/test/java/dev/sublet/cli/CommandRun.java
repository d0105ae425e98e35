package dev.sublet.cli;

import com.google.common.collect.Lists;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.testing.text.ProgramText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a command did.
 *
 * @param exitCode its exit code
 * @param output the bytes on its standard output
 * @param errors the text on its standard error
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CommandRun(int exitCode, byte[] output, String errors) {

  /** Six operators. Neither a and c nor b and d are live together; x and d are observed. */
  static final String CHAIN =
      """
      version 2004001
      default fp32[256]
      block 0
      feed x: fp32[-1,256]
      a = fused_feedforward(x, x)
      b = fused_feedforward(a, a)
      c = fused_feedforward(b, b)
      d = fused_feedforward(c, c)
      fetch(d)
      """;

  /** Runs a command without standard input. */
  public static CommandRun of(Object... arguments) {
    return withInput(new byte[0], arguments);
  }

  /** Runs a command. */
  static CommandRun withInput(byte[] input, Object... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    String[] strings = Lists.transform(List.of(arguments), Object::toString).toArray(new String[0]);
    int exitCode =
        Main.run(
            strings,
            new ByteArrayInputStream(input),
            new PrintStream(output, false, StandardCharsets.UTF_8),
            new PrintStream(errors, true, StandardCharsets.UTF_8));
    return new CommandRun(exitCode, output.toByteArray(), errors.toString(StandardCharsets.UTF_8));
  }

  /** Standard output as text. */
  public String text() {
    return new String(output, StandardCharsets.UTF_8);
  }

  /** Standard output as a JSON object. */
  JsonObject json() {
    return JsonParser.parseString(text()).getAsJsonObject();
  }

  /** The lines on standard error. */
  List<String> errorLines() {
    return errors.lines().toList();
  }

  /** A program in a form. */
  static byte[] bytes(ProgramFormat format, String... lines) {
    return ProgramWriter.toBytes(ProgramText.parse(lines), format, new DiagnosticLog());
  }

  /** Writes a program into a file, in the form of the file's name. */
  public static Path write(Path file, String... lines) throws IOException {
    return Files.write(file, bytes(ProgramFormat.ofFileName(file), lines));
  }

  /** The names of the files in a folder, sorted. */
  static List<String> filesIn(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      entries.forEach(entry -> names.add(entry.getFileName().toString()));
    }
    names.sort(null);
    return names;
  }
}
