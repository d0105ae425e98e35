package dev.sublet.codec.program;

import com.google.common.base.Utf8;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a file and their form.
 *
 * <p>Text is valid UTF-8 without control bytes other than tab, line feed, form feed and carriage
 * return. A serialized message always contains other control bytes, because its tags and small
 * numbers are such bytes. Text that begins with a brace or bracket is JSON.
 *
 * @param format the form
 * @param bytes the bytes as they are in the file
 * @param text the decoded text without a byte order mark; empty if the form is binary
 */
@SuppressWarnings(
    "ArrayRecordComponent") // never compared; a copy of a whole file would be wasteful
public record Content(ProgramFormat format, byte[] bytes, String text) {

  private static final int PICKLE = 0x80;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /**
   * Finds the form of some bytes. O(length).
   *
   * @throws ProgramException if there are none, or they are a Python pickle
   */
  public static Content of(byte[] bytes) {
    if (bytes.length == 0) {
      throw ProgramException.unreadable(Location.nowhere(), "the file is empty");
    }
    if ((bytes[0] & 0xFF) == PICKLE) {
      throw ProgramException.unreadable(
          Location.nowhere(),
          "a Python pickle; old fluid __model__ pickles are not supported, re-save the model with"
              + " Paddle 0.11 or later");
    }
    if (!isText(bytes)) {
      return new Content(ProgramFormat.BINARY, bytes, "");
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.charAt(0) == BYTE_ORDER_MARK) {
      text = text.substring(1);
    }
    String start = text.stripLeading();
    boolean json = start.startsWith("{") || start.startsWith("[");
    return new Content(json ? ProgramFormat.JSON : ProgramFormat.TEXT, bytes, text);
  }

  private static boolean isText(byte[] bytes) {
    for (byte b : bytes) {
      if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\f' && b != '\r') {
        return false;
      }
    }
    return Utf8.isWellFormed(bytes);
  }
}
