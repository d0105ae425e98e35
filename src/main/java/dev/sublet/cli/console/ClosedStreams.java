package dev.sublet.cli.console;

import com.google.common.base.Strings;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Standard streams that the process was started without ({@code <&-}). Java opens files of its own
 * in their place: it would read these as input. {@code ./sublet} finds out, and says so.
 */
public final class ClosedStreams {

  /** Standard input. */
  public static final int INPUT = 0;

  /** Standard output. */
  public static final int OUTPUT = 1;

  private ClosedStreams() {}

  /** Whether a stream is one. */
  public static boolean isClosed(int stream) {
    String closed = Strings.nullToEmpty(System.getProperty("sublet.closed"));
    return closed.contains(String.valueOf(stream));
  }

  /** Standard input of which every read is an error. */
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

  /** Standard output of which every write is an error. */
  public static OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException("it is closed");
      }
    };
  }
}
