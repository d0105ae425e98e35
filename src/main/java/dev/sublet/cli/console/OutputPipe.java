package dev.sublet.cli.console;

import com.google.common.base.Ascii;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Standard output of the process, and how writing to it ended.
 *
 * <p>A reader that has seen enough closes its end of the pipe, as {@code head} does. That is no
 * error: whatever follows is dropped. Every other failure is one, such as a full disk.
 */
public final class OutputPipe extends OutputStream {

  /** A stream of which nothing is known. */
  public static final OutputPipe NONE = new OutputPipe(OutputStream.nullOutputStream());

  private final OutputStream stream;
  private boolean isReaderGone;
  private @Nullable String failure;

  /** What is written goes to a stream. */
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
   * Java passes on what the operating system says, of a pipe or a socket; {@code ./sublet} asks for
   * it in English.
   */
  private static boolean isClosedPipe(String message) {
    String text = Ascii.toLowerCase(message);
    return text.contains("broken pipe") || text.contains("connection reset");
  }

  /** Whether nobody reads any more. */
  public boolean isReaderGone() {
    return isReaderGone;
  }

  /** Why the last write failed; null if none did. */
  @Nullable String failure() {
    return failure;
  }
}
