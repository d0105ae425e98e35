package dev.sublet.cli.console;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A line on a terminal that names the running step of a command, if the command takes longer than a
 * second.
 *
 * <p>The line is rewritten every second and erased before any other output. Thread-safe: the
 * command runs on its own thread, while another thread waits for it and writes the line.
 */
public final class Progress {

  /** Shows nothing. */
  public static final Progress NONE = new Progress(OutputStream.nullOutputStream(), false);

  private static final String TO_LINE_START_AND_WIPE = "\r\u001B[K";

  private final OutputStream terminal;
  private boolean isShown;
  private boolean isOnLine;
  private String step = "";
  private int seconds;

  /**
   * Creates a line that is not shown yet.
   *
   * @param terminal the stream for the line
   * @param isShown whether the line is shown at all, because the stream is a terminal
   */
  public Progress(OutputStream terminal, boolean isShown) {
    this.terminal = terminal;
    this.isShown = isShown;
  }

  /** Begins a step, such as "planning offsets". */
  public synchronized void begin(String step) {
    this.step = step;
  }

  /** Waits for a command, and shows its running step. */
  <T> T await(Future<T> command) throws InterruptedException, ExecutionException {
    try {
      while (true) {
        try {
          return command.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
          show();
        }
      }
    } finally {
      end();
    }
  }

  private synchronized void show() {
    seconds++;
    if (isShown) {
      write(TO_LINE_START_AND_WIPE + step + (step.isEmpty() ? "" : ", ") + seconds + " s");
      isOnLine = true;
    }
  }

  /** Erases the line, which is then not shown again. */
  public synchronized void end() {
    if (isOnLine) {
      write(TO_LINE_START_AND_WIPE);
    }
    isOnLine = false;
    isShown = false;
  }

  private void write(String text) {
    try {
      terminal.write(text.getBytes(StandardCharsets.UTF_8));
      terminal.flush();
    } catch (IOException e) {
      isShown = false; // The terminal is gone.
    }
  }

  /** Returns a stream that erases the line before its first byte. */
  public OutputStream before(OutputStream stream) {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        end();
        stream.write(value);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        end();
        stream.write(bytes, offset, length);
      }

      @Override
      public void flush() throws IOException {
        stream.flush();
      }
    };
  }
}
