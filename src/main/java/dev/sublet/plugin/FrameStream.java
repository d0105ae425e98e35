package dev.sublet.plugin;

import com.google.common.io.CountingInputStream;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes frames: messages, each preceded by its length as four bytes, unsigned, least
 * significant byte first.
 */
final class FrameStream {

  private static final int LENGTH_BYTES = 4;

  private FrameStream() {}

  /**
   * Reads the next message; returns null at the end of the stream. Memory is allocated as bytes
   * arrive, not in advance from the length alone.
   *
   * @param most the maximum length of a message; at most 2³¹ - 9
   * @throws ProgramException if the message is longer, or the stream ends in the middle of a frame
   * @throws OutOfMemoryError if there is no memory for the message; the message is skipped
   */
  static byte @Nullable [] read(InputStream in, long most) throws IOException {
    byte[] prefix = in.readNBytes(LENGTH_BYTES);
    if (prefix.length == 0) {
      return null;
    }
    if (prefix.length < LENGTH_BYTES) {
      throw broken("standard input ends within the length of a request");
    }
    long length = 0;
    for (int i = LENGTH_BYTES - 1; i >= 0; i--) {
      length = (length << 8) | (prefix[i] & 0xFF);
    }
    if (length > most) {
      throw broken(
          "a request of "
              + ByteText.inWords(length)
              + ", but at most "
              + ByteText.exact(most)
              + " are allowed (--max-request); is its length four bytes, the least significant one"
              + " first?");
    }
    byte[] message = readMessage(new CountingInputStream(in), (int) length);
    if (message.length < length) {
      throw cutOff(message.length, length);
    }
    return message;
  }

  private static byte[] readMessage(CountingInputStream in, int length) throws IOException {
    try {
      return in.readNBytes(length);
    } catch (OutOfMemoryError e) {
      try {
        in.skipNBytes(length - in.getCount());
      } catch (EOFException end) {
        throw cutOff(in.getCount(), length);
      }
      throw e;
    }
  }

  private static ProgramException cutOff(long arrived, long length) {
    return broken(
        "standard input ends after "
            + ByteText.exact(arrived)
            + " of "
            + ByteText.inWords(length)
            + " of a request");
  }

  private static ProgramException broken(String message) {
    return ProgramException.unreadable(Location.nowhere(), message);
  }

  /** Writes a message and flushes the stream. */
  static void write(OutputStream out, byte[] message) throws IOException {
    byte[] prefix = new byte[LENGTH_BYTES];
    for (int i = 0; i < LENGTH_BYTES; i++) {
      prefix[i] = (byte) (message.length >>> (8 * i));
    }
    out.write(prefix);
    out.write(message);
    out.flush();
  }
}
