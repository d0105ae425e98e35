package dev.sublet.cli.console;

import com.google.common.base.Strings;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Standard streams that were closed before the process started ({@code <&-}). Java opens other
 * files under their numbers, and would read such a file as standard input. {@code ./sublet} detects
 * closed streams and passes them on as a system property.
 */
public final class ClosedStreams {

  /** Standard input. */
  public static final int INPUT = 0;

  /** Standard output. */
  public static final int OUTPUT = 1;

  private ClosedStreams() {}

  /** Whether a standard stream was closed. */
  public static boolean isClosed(int stream) {
    String closed = Strings.nullToEmpty(System.getProperty("sublet.closed"));
    return closed.contains(String.valueOf(stream));
  }

  /** Returns a standard input that fails at every read. */
  public static InputStream input() {
    return new InputStream() {
      @Override
      public int read() {
        throw ProgramException.of(
            Diagnostic.Kind.USAGE, Location.file("<stdin>"), "standard input is closed");
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        return read();
      }
    };
  }

  /** Returns a standard output that fails at every write. */
  public static OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("it is closed");
      }
    };
  }
}
