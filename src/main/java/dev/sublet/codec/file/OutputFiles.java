package dev.sublet.codec.file;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
 * <p>{@link #stage} writes each to a temporary file beside its target and finds most reasons why it
 * could not be written; {@link #commit} then moves them all into place. If a move fails, the
 * targets that were already replaced get their old content back. Closing without a commit leaves
 * everything as it was, and so does a signal that ends the process before the moves begin; one that
 * comes later waits until they are done. No directory is created. Symbolic links stay: the file
 * that they lead to is written, also where there is none yet. A target that is neither a file nor a
 * directory, such as a pipe, cannot be replaced: it is written to at the commit, before the files
 * are moved.
 *
 * <p>Failures are {@link ProgramException}s with the exit code of a wrong command line, placed in
 * the target. Not safe against a second process that writes to the same targets meanwhile, nor
 * against a loss of power.
 */
public final class OutputFiles implements AutoCloseable {

  /** So many links in a row are taken for a circle, as Linux does. */
  private static final int MAX_LINKS = 40;

  /** A target, where it really is, and its content: in a temporary file, or for pipes in memory. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Output(Path named, Path target, @Nullable Path temporary, byte[] content) {}

  private final List<Output> outputs = new ArrayList<>();

  /** Which files the outputs go to: by their keys, or their names if there are none yet. */
  private final Set<Object> taken = new HashSet<>();

  private final TemporaryFiles temporaries = new TemporaryFiles();

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
   * Finds what can be found without writing: before work is done whose result could not be kept.
   *
   * @throws ProgramException if one of the files is a directory, is in none, or is not writable, or
   *     two of them are one
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

  /** Where a file is, or will be, without links on the way. */
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

  /** The real path of a file that exists. A pipe without a name, as of {@code >(…)}, has none. */
  private static Path real(Path path) throws IOException {
    try {
      return path.toRealPath();
    } catch (NoSuchFileException e) {
      return path;
    }
  }

  /** Takes a target, unless it is taken: if only by another hard link to the same file. */
  private static void checkApart(Path file, Path target, Set<Object> taken) throws IOException {
    if (!taken.add(Files.exists(target) ? key(target) : target)) {
      throw failure(file, "two outputs go to this file");
    }
  }

  /** What all names of an existing file have in common. */
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

  /** What the target holds now, in a file; none if nothing can go wrong after it is replaced. */
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
    // Only now are a and A seen to be one, where a file system does not tell them apart.
    if (Files.exists(output.target()) && moved.contains(key(output.target()))) {
      throw failure(output.named(), "two outputs go to this file");
    }
    move(output.temporary(), output.target());
    moved.add(key(output.target()));
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Brings the first targets back to how they were. */
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

  private interface Step {
    void run() throws IOException;
  }

  private static void attempt(Output output, Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw failure(output.named(), e);
    }
  }

  /** Removes what was staged and not committed. */
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
