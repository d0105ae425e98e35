package dev.sublet.codec;

import com.google.common.collect.Lists;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Place;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes several files, all of them or none.
 *
 * <p>{@link #stage} writes each to a temporary file beside its target and finds most reasons why it
 * could not be written; {@link #commit} then moves them all into place. If a move fails, the
 * targets that were already replaced get their old content back. Closing without a commit leaves
 * everything as it was. No directory is created. A target that is neither a file nor a directory,
 * such as a pipe, cannot be replaced: it is written to at the commit, before the files are moved.
 *
 * <p>Failures are {@link ProgramException}s with the exit code of a wrong command line, placed in
 * the target. Not safe against a second process that writes to the same targets meanwhile, nor
 * against a loss of power.
 */
public final class OutputFiles implements AutoCloseable {

  /** A target, where it really is, and its content: in a temporary file, or for pipes in memory. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Output(Path named, Path target, @Nullable Path temporary, byte[] content) {}

  private final List<Output> outputs = new ArrayList<>();
  private final List<Path> temporaries = new ArrayList<>();

  /** Nothing staged yet. */
  public OutputFiles() {}

  /**
   * Prepares a file. O(length).
   *
   * @throws ProgramException if the target is a directory, is in none, is not writable, was staged
   *     before, or its directory cannot be written to
   */
  public void stage(Path file, byte[] content) {
    try {
      Path target = target(file);
      check(file, target);
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        outputs.add(new Output(file, target, null, content));
        return;
      }
      Path temporary = newTemporary(target);
      Files.write(temporary, content);
      copyPermissions(target, temporary);
      outputs.add(new Output(file, target, temporary, new byte[0]));
    } catch (IOException e) {
      throw failure(file, "cannot be written: " + InputFiles.describe(e));
    }
  }

  /**
   * Finds what can be found without writing: before work is done whose result could not be kept.
   *
   * @throws ProgramException if one of the files is a directory, is in none, or is not writable, or
   *     two of them are one
   */
  public static void check(Iterable<Path> files) {
    Set<Path> targets = new HashSet<>();
    for (Path file : files) {
      try {
        Path target = target(file);
        checkAlone(file, target);
        if (!targets.add(target)) {
          throw failure(file, "two outputs go to this file");
        }
      } catch (IOException e) {
        throw failure(file, "cannot be written: " + InputFiles.describe(e));
      }
    }
  }

  /** Where a file really is. A link stays: what it points to is replaced. */
  private static Path target(Path file) throws IOException {
    return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath().normalize();
  }

  private void check(Path file, Path target) {
    checkAlone(file, target);
    for (Output other : outputs) {
      if (other.target().equals(target)) {
        throw failure(file, "two outputs go to this file");
      }
    }
  }

  private static void checkAlone(Path file, Path target) {
    if (Files.isDirectory(target)) {
      throw failure(file, "is a directory; name a file");
    }
    Path directory = target.getParent();
    if (directory == null || !Files.exists(directory)) {
      throw failure(file, whyMissing(directory));
    }
    if (!Files.isDirectory(directory)) {
      throw failure(file, directory + " is a file, not a directory");
    }
    if (Files.exists(target) && !Files.isWritable(target)) {
      throw failure(file, "the file is write-protected");
    }
  }

  /** What is wrong with a directory that is not there: above it there may be a file. */
  private static String whyMissing(@Nullable Path directory) {
    for (Path above = directory; above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        return Files.isDirectory(above)
            ? "the directory " + directory + " does not exist"
            : above + " is a file, not a directory";
      }
    }
    return "is in no directory";
  }

  /**
   * Moves all staged files into place. May be called once.
   *
   * @throws ProgramException if one cannot be moved; then none has changed, as far as the file
   *     system allows
   */
  public void commit() {
    List<Runnable> undo = new ArrayList<>();
    for (Output output : outputs) {
      if (output.temporary() == null) {
        attempt(output, undo, () -> Files.write(output.target(), output.content()));
      }
    }
    for (Output output : outputs) {
      Path temporary = output.temporary();
      if (temporary != null) {
        attempt(
            output,
            undo,
            () -> {
              Runnable restore = restorer(output.target());
              Files.move(
                  temporary,
                  output.target(),
                  StandardCopyOption.ATOMIC_MOVE,
                  StandardCopyOption.REPLACE_EXISTING);
              undo.add(restore);
            });
      }
    }
    outputs.clear();
    close();
  }

  private interface Step {
    void run() throws IOException;
  }

  private static void attempt(Output output, List<Runnable> undo, Step step) {
    try {
      step.run();
    } catch (IOException e) {
      for (Runnable restore : Lists.reverse(undo)) {
        restore.run();
      }
      throw failure(output.named(), "cannot be written: " + InputFiles.describe(e));
    }
  }

  /** What brings the target back to how it is now; needed only if another file comes after it. */
  private Runnable restorer(Path target) throws IOException {
    if (outputs.size() == 1) {
      return () -> {};
    }
    if (!Files.exists(target)) {
      return () -> deleteQuietly(target);
    }
    Path backup = newTemporary(target);
    Files.copy(
        target, backup, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    return () -> moveQuietly(backup, target);
  }

  /** Removes what was staged and not committed. */
  @Override
  public void close() {
    for (Path temporary : temporaries) {
      deleteQuietly(temporary);
    }
    temporaries.clear();
    outputs.clear();
  }

  /** A new, empty file beside the target, with the permissions that new files have here. */
  private Path newTemporary(Path target) throws IOException {
    String prefix = ".sublet-" + ProcessHandle.current().pid() + "-";
    for (int i = 0; ; i++) {
      Path temporary = target.resolveSibling(prefix + i + ".tmp");
      try {
        Files.write(temporary, new byte[0], StandardOpenOption.CREATE_NEW);
        temporaries.add(temporary);
        return temporary;
      } catch (FileAlreadyExistsException e) {
        // In use by another output: the next number will do.
      }
    }
  }

  private static void copyPermissions(Path target, Path temporary) throws IOException {
    if (Files.exists(target)) {
      PosixFileAttributeView from =
          Files.getFileAttributeView(target, PosixFileAttributeView.class);
      if (from != null) {
        Files.setPosixFilePermissions(temporary, from.readAttributes().permissions());
      }
    }
  }

  private static void moveQuietly(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      // Another failure is already being reported, and nothing more can be done about this one.
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A left-over temporary file does no harm.
    }
  }

  private static ProgramException failure(Path file, String message) {
    return ProgramException.of(Diagnostic.Kind.USAGE, Place.file(file.toString()), message);
  }
}
