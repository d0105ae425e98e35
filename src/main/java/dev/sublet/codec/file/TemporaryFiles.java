package dev.sublet.codec.file;

import com.google.common.collect.Lists;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Temporary files, which are deleted when the process ends, even by a signal (SIGTERM, SIGINT,
 * SIGHUP), and new directories, which are deleted if they are empty then.
 *
 * <p>All threads keep running while Java shuts down. A thread could then create a new file after
 * the old ones have been deleted, or move only the first of several files into place. So one thread
 * at a time creates, moves and deletes files. The thread that deletes the files at the end never
 * passes on its turn: all other threads wait until the process has ended.
 */
final class TemporaryFiles implements AutoCloseable {

  private final Semaphore turn = new Semaphore(1);

  /** The temporary files and the new directories; each directory comes before its files. */
  private final List<Path> files = new ArrayList<>();

  private final Thread atTheEnd = new Thread(this::deleteAtTheEnd);

  /** Creates an empty set of temporary files. */
  TemporaryFiles() {
    try {
      Runtime.getRuntime().addShutdownHook(atTheEnd);
    } catch (IllegalStateException e) {
      turn.acquireUninterruptibly(); // The process is already ending.
    }
  }

  /**
   * Creates a file beside a target, with the permissions that new files have there.
   *
   * @throws IOException if it cannot be written
   */
  Path create(Path target, InputStream content) throws IOException {
    turn.acquireUninterruptibly();
    Path file;
    OutputStream stream;
    try {
      stream = open(target);
      file = files.get(files.size() - 1);
    } finally {
      turn.release();
    }
    // The shutdown thread may have deleted the file; writing to the stream does not create it
    // again.
    try (stream) {
      content.transferTo(stream);
    }
    return file;
  }

  private OutputStream open(Path target) throws IOException {
    String prefix = ".sublet-" + ProcessHandle.current().pid() + "-";
    for (int i = 0; ; i++) {
      Path file = target.resolveSibling(prefix + i + ".tmp");
      try {
        OutputStream stream = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
        files.add(file);
        return stream;
      } catch (FileAlreadyExistsException e) {
        // The name is in use: try the next number.
      }
    }
  }

  /**
   * Creates a directory.
   *
   * @throws IOException if it cannot be created, or if something has its name
   */
  void createDirectory(Path directory) throws IOException {
    turn.acquireUninterruptibly();
    try {
      Files.createDirectory(directory);
      files.add(directory);
    } finally {
      turn.release();
    }
  }

  /** Runs a step that the end of the process must not interrupt. */
  void undisturbed(Runnable step) {
    turn.acquireUninterruptibly();
    try {
      step.run();
    } finally {
      turn.release();
    }
  }

  /** Deletes the files that were not moved, and new directories without files. */
  @Override
  public void close() {
    turn.acquireUninterruptibly();
    try {
      deleteAll();
      Runtime.getRuntime().removeShutdownHook(atTheEnd);
    } catch (IllegalStateException e) {
      // The process is ending: the files have been deleted.
    } finally {
      turn.release();
    }
  }

  private void deleteAtTheEnd() {
    turn.acquireUninterruptibly();
    deleteAll();
  }

  private void deleteAll() {
    for (Path file : Lists.reverse(files)) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // A directory with files stays; a leftover temporary file does no harm.
      }
    }
    files.clear();
  }
}
