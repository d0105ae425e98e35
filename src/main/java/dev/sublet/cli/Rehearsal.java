package dev.sublet.cli;

import dev.sublet.cli.console.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/**
 * Runs the common verbs once on an example, and plans two tables of buffers. The build lets the
 * Java virtual machine record the classes that these runs load, and makes the class archive with
 * which {@code ./sublet} starts.
 *
 * <p>Fails if a verb fails, because the build is then broken.
 */
final class Rehearsal {

  private final Path program;
  private final Path folder;

  private Rehearsal(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /** Takes a program, and a folder for all files that are written; creates the folder. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[1]));
    new Rehearsal(Path.of(args[0]), folder).run();
  }

  private void run() throws IOException {
    Path rewritten = folder.resolve("out.pdmodel");
    Path text = folder.resolve("out.textproto");
    Path plan = folder.resolve("plan.json");
    verb("--version");
    verb("--help");
    verb("optimize", program, "-o", rewritten, "--plan", folder.resolve("plan.bin"));
    verb("optimize", program, "-o", text, "--plan", plan, "--json");
    verb("verify", program, text, "--plan", plan);
    verb("plan", program, "-o", folder.resolve("plan.csv"), "--planner", "search");
    verb("plan", rewritten, "--align", "4KiB", "--timings", "-v");
    verb("inspect", program);
    verb("liveness", program);
    verb("explain", program);
    verb("diff", program, program);
    verb("check", program, "--max-arena", "1GiB", "--baseline", plan, "--max-growth", "1000%");
    verb("convert", rewritten, "-o", folder.resolve("out.json"));
    verb("convert", folder.resolve("plan.bin"), "-o", folder.resolve("plan.trace.json"));
    verb("plan", table(200), "-o", folder.resolve("table.csv"), "--nodes", 4000);
    verb("plan", table(1200), "--json", "--nodes", 4000);
    verb("plugin");
    verb("ops");
  }

  /** One buffer of a table: the points of its lifetime, and its bytes. */
  private record Row(int begin, int end, int size) {}

  /**
   * Writes a table of buffers that occupies every planner: a rectangle of bytes and time, cut at
   * places of a fixed random sequence, of which each piece then loses a few bytes.
   */
  private Path table(int buffers) throws IOException {
    Random random = new Random(1);
    Deque<Row> rows = new ArrayDeque<>(List.of(new Row(0, 1 << 16, 1 << 16)));
    while (rows.size() < buffers) {
      Row row = rows.remove();
      boolean isCutInTime = random.nextBoolean();
      int length = isCutInTime ? row.end - row.begin : row.size;
      int cut = length / 4 + random.nextInt(length / 2);
      if (isCutInTime) {
        rows.add(new Row(row.begin, row.begin + cut, row.size));
        rows.add(new Row(row.begin + cut, row.end, row.size));
      } else {
        rows.add(new Row(row.begin, row.end, cut));
        rows.add(new Row(row.begin, row.end, row.size - cut));
      }
    }
    StringJoiner text = new StringJoiner("\n", "id,lower,upper,size\n", "\n");
    int id = 0;
    for (Row row : rows) {
      int size = Math.max(1, row.size - random.nextInt(30));
      text.add(id++ + "," + row.begin + "," + row.end + "," + size);
    }
    return Files.writeString(folder.resolve(buffers + ".csv"), text.toString());
  }

  private static void verb(Object... arguments) {
    List<String> words = new ArrayList<>();
    for (Object argument : arguments) {
      words.add(argument.toString());
    }
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            words.toArray(new String[0]),
            InputStream.nullInputStream(),
            new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
            new PrintStream(errors, true, StandardCharsets.UTF_8));
    if (exitCode != ExitCode.OK) {
      throw new IllegalStateException(words + ": " + errors.toString(StandardCharsets.UTF_8));
    }
  }
}
