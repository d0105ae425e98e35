package dev.sublet.codec.file;

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
 * Files that are gone when the process ends, also if a signal ends it (SIGTERM, SIGINT, SIGHUP).
 *
 * <p>While Java shuts down, all threads go on. So that none of them leaves a new file after the old
 * ones have been deleted, or moves only the first of several into place, files are created, moved
 * and deleted by one thread at a time; the one that deletes them at the end lets no other follow:
 * threads that want to go on wait until the process is gone.
 */
final class TemporaryFiles implements AutoCloseable {

  private final Semaphore turn = new Semaphore(1);
  private final List<Path> files = new ArrayList<>();
  private final Thread atTheEnd = new Thread(this::deleteAtTheEnd);

  /** No files yet. */
  TemporaryFiles() {
    try {
      Runtime.getRuntime().addShutdownHook(atTheEnd);
    } catch (IllegalStateException e) {
      turn.acquireUninterruptibly(); // The process is ending already.
    }
  }

  /**
   * Makes a file beside a target, with the permissions that new files have there.
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
    // Meanwhile the file may be deleted; to write to it does not make it anew.
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
        // In use: the next number will do.
      }
    }
  }

  /** Does something that the end of the process must not interrupt. */
  void undisturbed(Runnable step) {
    turn.acquireUninterruptibly();
    try {
      step.run();
    } finally {
      turn.release();
    }
  }

  /** Deletes the files that are still where they were made. */
  @Override
  public void close() {
    turn.acquireUninterruptibly();
    try {
      deleteAll();
      Runtime.getRuntime().removeShutdownHook(atTheEnd);
    } catch (IllegalStateException e) {
      // The process is ending: what there was to delete is deleted.
    } finally {
      turn.release();
    }
  }

  private void deleteAtTheEnd() {
    turn.acquireUninterruptibly();
    deleteAll();
  }

  private void deleteAll() {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // A left-over temporary file does no harm.
      }
    }
    files.clear();
  }
}
