package dev.sublet.fuzz;

import dev.sublet.cli.Main;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Folders in which commands run. */
final class Scratch {

  private static final Path FOLDER = Path.of("target", "fuzz", "work");

  private Scratch() {}

  /** The folder of this thread. */
  static Path folder() {
    return FOLDER.resolve(Thread.currentThread().getName());
  }

  /** The same, emptied. */
  static Path empty() throws IOException {
    Path folder = folder();
    Files.createDirectories(folder);
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        if (!entry.equals(folder)) {
          Files.delete(entry);
        }
      }
    }
    return folder;
  }

  /** A file that a command writes; empty if it refuses to. */
  static Optional<byte[]> made(Invocation invocation, String file) {
    try {
      Path folder = empty();
      invocation.write(folder);
      PrintStream nowhere =
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
      int exitCode =
          Main.run(
              invocation.arguments(folder).toArray(new String[0]),
              new ByteArrayInputStream(new byte[0]),
              nowhere,
              nowhere);
      return exitCode == 0
          ? Optional.of(Files.readAllBytes(folder.resolve(file)))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
