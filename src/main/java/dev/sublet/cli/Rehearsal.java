package dev.sublet.cli;

import dev.sublet.cli.console.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the common verbs once on an example. The build lets the Java virtual machine record the
 * classes that these runs load, and makes the class archive with which {@code ./sublet} starts.
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

  /** Takes a program, and a folder for the files that the verbs write; creates the folder. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[1]));
    new Rehearsal(Path.of(args[0]), folder).run();
  }

  private void run() {
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
    verb("plugin");
    verb("ops");
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
