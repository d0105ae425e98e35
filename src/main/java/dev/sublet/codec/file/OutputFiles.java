package dev.sublet.codec.file;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes several files, all of them or none.
 *
 * <p>{@link #stage} writes each file to a temporary file beside its target, and so finds most
 * reasons for a failure early. {@link #commit} then moves all temporary files into place. If a move
 * fails, the targets that were already replaced get their old content back. A close without a
 * commit leaves everything as it was. So does a signal that ends the process before the moves
 * begin; a signal during the moves takes effect after them.
 *
 * <p>No directory is created without {@link #stageDirectory}. Symbolic links stay: the file that a
 * link leads to is written, even if it does not exist yet. A target that is neither a file nor a
 * directory, such as a pipe, cannot be replaced; {@link #commit} writes to it before it moves the
 * files.
 *
 * <p>Failures are {@link ProgramException}s at the target, with the exit code of a wrong command
 * line. This class does not guard against a second process that writes to the same targets at the
 * same time, or against a power failure.
 */
public final class OutputFiles implements AutoCloseable {

  /**
   * The maximum number of symbolic links in a row; a longer chain is taken for a cycle, as in
   * Linux.
   */
  private static final int MAX_LINKS = 40;

  /**
   * An output: the path that the user named, its real path, and the content, in a temporary file
   * or, for a pipe, in memory.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Output(Path named, Path target, @Nullable Path temporary, byte[] content) {}

  private final List<Output> outputs = new ArrayList<>();

  /** The targets in use: by file key, or by path if the file does not exist yet. */
  private final Set<Object> taken = new HashSet<>();

  private final TemporaryFiles temporaries = new TemporaryFiles();

  /** Creates a set of outputs without files. */
  public OutputFiles() {}

  /**
   * Creates a directory for files to stage, unless it exists. A close without a commit deletes it.
   *
   * @throws ProgramException if it cannot be created, because its parent does not exist or for
   *     another reason
   */
  public void stageDirectory(Path directory) {
    try {
      if (!Files.isDirectory(directory)) {
        checkAlone(directory, target(directory));
        temporaries.createDirectory(directory);
      }
    } catch (FileAlreadyExistsException e) {
      throw failure(directory, "is no directory, perhaps a link to none");
    } catch (IOException e) {
      throw failure(directory, e);
    }
  }

  /**
   * Stages a file: writes its content to a temporary file. O(length).
   *
   * @throws ProgramException if the target is a directory, is not in an existing directory, is not
   *     writable, or is already staged, or if its directory is not writable
   */
  public void stage(Path file, byte[] content) {
    try {
      Path target = target(file);
      checkAlone(file, target);
      checkApart(file, target, taken);
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        outputs.add(new Output(file, target, null, content));
        return;
      }
      Path temporary = temporaries.create(target, new ByteArrayInputStream(content));
      copyPermissions(target, temporary);
      outputs.add(new Output(file, target, temporary, new byte[0]));
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /**
   * Checks output files as far as possible without writing, so that errors are found before work
   * whose result could not be saved.
   *
   * @throws ProgramException if a file is a directory, is not in an existing directory, or is not
   *     writable, or if two of the paths are one file
   */
  public static void check(Iterable<Path> files) {
    Set<Object> taken = new HashSet<>();
    for (Path file : files) {
      try {
        Path target = target(file);
        checkAlone(file, target);
        checkApart(file, target, taken);
      } catch (IOException e) {
        throw failure(file, e);
      }
    }
  }

  /** Returns the real path of a file, or of the place where it will be created. */
  private static Path target(Path file) throws IOException {
    Path path = file.toAbsolutePath();
    for (int links = 0; links < MAX_LINKS; links++) {
      if (Files.exists(path)) {
        return real(path);
      }
      if (!Files.isSymbolicLink(path)) {
        Path directory = path.getParent();
        return directory == null || !Files.exists(directory)
            ? path
            : directory.toRealPath().resolve(path.getFileName());
      }
      path = path.resolveSibling(Files.readSymbolicLink(path));
    }
    throw new FileSystemException(file.toString(), null, "too many levels of symbolic links");
  }

  /**
   * Returns the real path of a file that exists. A pipe without a name, as for {@code >(…)}, has
   * none; its path is returned as is.
   */
  private static Path real(Path path) throws IOException {
    try {
      return path.toRealPath();
    } catch (NoSuchFileException e) {
      return path;
    }
  }

  /** Checks that a target is not in use yet, even under another hard link, and marks it as used. */
  private static void checkApart(Path file, Path target, Set<Object> taken) throws IOException {
    if (!taken.add(Files.exists(target) ? key(target) : target)) {
      throw failure(file, "two outputs go to this file");
    }
  }

  /** The identity of an existing file, which all its names share. */
  private static Object key(Path file) throws IOException {
    Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    return key == null ? real(file) : key;
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

  /** Describes why a directory does not exist: perhaps one of its parents is a file. */
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
   * @throws ProgramException if a file cannot be moved; then no target has changed, as far as the
   *     file system allows
   */
  public void commit() {
    List<@Nullable Path> backups = new ArrayList<>();
    for (Output output : outputs) {
      attempt(
          output,
          () -> {
            if (output.temporary() == null) {
              Files.write(output.target(), output.content(), StandardOpenOption.WRITE);
            }
            backups.add(backup(output));
          });
    }
    temporaries.undisturbed(() -> moveAll(backups));
    outputs.clear();
    close();
  }

  /**
   * Copies the current content of a target to a temporary file; null if no later step can fail
   * after the target is replaced, or if there is nothing to copy.
   */
  private @Nullable Path backup(Output output) throws IOException {
    Path target = output.target();
    if (output.temporary() == null || outputs.size() == 1 || !Files.exists(target)) {
      return null;
    }
    try (InputStream old = Files.newInputStream(target)) {
      Path backup = temporaries.create(target, old);
      copyPermissions(target, backup);
      Files.setLastModifiedTime(backup, Files.getLastModifiedTime(target));
      return backup;
    }
  }

  private void moveAll(List<@Nullable Path> backups) {
    Set<Object> moved = new HashSet<>();
    for (int i = 0; i < outputs.size(); i++) {
      Output output = outputs.get(i);
      try {
        attempt(output, () -> move(output, moved));
      } catch (ProgramException e) {
        restore(i, backups);
        throw e;
      }
    }
  }

  private static void move(Output output, Set<Object> moved) throws IOException {
    if (output.temporary() == null) {
      return;
    }
    // Only after a move can we find that "a" and "A" are one file, if the file system ignores case.
    if (Files.exists(output.target()) && moved.contains(key(output.target()))) {
      throw failure(output.named(), "two outputs go to this file");
    }
    move(output.temporary(), output.target());
    moved.add(key(output.target()));
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Restores the first {@code moved} targets. */
  private void restore(int moved, List<@Nullable Path> backups) {
    for (int i = moved - 1; i >= 0; i--) {
      Path backup = backups.get(i);
      try {
        if (backup != null) {
          move(backup, outputs.get(i).target());
        } else if (outputs.get(i).temporary() != null) {
          Files.deleteIfExists(outputs.get(i).target());
        }
      } catch (IOException e) {
        // Another failure is already being reported, and nothing more can be done about this one.
      }
    }
  }

  private interface FileAction {
    void run() throws IOException;
  }

  private static void attempt(Output output, FileAction action) {
    try {
      action.run();
    } catch (IOException e) {
      throw failure(output.named(), e);
    }
  }

  /** Removes the files that were staged and not committed. */
  @Override
  public void close() {
    temporaries.close();
    outputs.clear();
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

  private static ProgramException failure(Path file, IOException e) {
    return failure(file, "cannot be written: " + InputFiles.describe(e));
  }

  private static ProgramException failure(Path file, String message) {
    return ProgramException.of(Diagnostic.Kind.USAGE, Location.file(file.toString()), message);
  }
}
