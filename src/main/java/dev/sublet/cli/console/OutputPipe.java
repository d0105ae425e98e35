package dev.sublet.cli.console;

import com.google.common.base.Ascii;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The standard output of the process, which records how writing to it ended.
 *
 * <p>A reader that needs no more data closes its end of the pipe, as {@code head} does. This is not
 * an error: all later output is dropped. Every other failure, such as a full disk, is an error.
 */
public final class OutputPipe extends OutputStream {

  /** A stream that discards its output. */
  public static final OutputPipe NONE = new OutputPipe(OutputStream.nullOutputStream());

  private final OutputStream stream;
  private boolean isReaderGone;
  private @Nullable String failure;

  /** Creates a stream that writes to another stream. */
  public OutputPipe(OutputStream stream) {
    this.stream = stream;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (isReaderGone) {
      return;
    }
    try {
      stream.write(bytes, offset, length);
    } catch (IOException e) {
      String message = String.valueOf(e.getMessage());
      if (!isClosedPipe(message)) {
        failure = message;
        throw e;
      }
      isReaderGone = true;
    }
  }

  /**
   * Whether a message means that the reader of a pipe or a socket has closed it. Java passes on the
   * message of the operating system; {@code ./sublet} requests it in English.
   */
  private static boolean isClosedPipe(String message) {
    String text = Ascii.toLowerCase(message);
    return text.contains("broken pipe") || text.contains("connection reset");
  }

  /** Whether the reader has closed the pipe. */
  public boolean isReaderGone() {
    return isReaderGone;
  }

  /** The reason for which the last write failed; null if none failed. */
  @Nullable String failure() {
    return failure;
  }
}
