package dev.sublet.codec.program;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import java.nio.charset.StandardCharsets;

/**
 * Writes a message in any of its forms, and warns about all content that the form cannot represent.
 */
final class MessagePrinter {

  private MessagePrinter() {}

  /**
   * Returns a message in the given form. O(size).
   *
   * @param what the name of the message in warnings
   */
  static byte[] toBytes(Message message, String what, ProgramFormat format, DiagnosticLog log) {
    return switch (format) {
      case BINARY -> message.toByteArray();
      case TEXT -> TextForm.print(carriable(message, what, log)).getBytes(StandardCharsets.UTF_8);
      case JSON -> JsonForm.print(carriable(message, what, log)).getBytes(StandardCharsets.UTF_8);
    };
  }

  /**
   * Returns the message without unknown fields, which the text forms would print wrongly, and warns
   * about all content that text forms lose.
   */
  private static Message carriable(Message message, String what, DiagnosticLog log) {
    TextLosses losses = TextLosses.of(message);
    warn(losses.unknownFields(), "unknown fields are left out of %s messages", what, log);
    warn(
        losses.undecodableStrings(),
        "bytes that are not UTF-8 are replaced in %s fields",
        what,
        log);
    warn(losses.unusualNans(), "the bits of %s NaNs are replaced by the usual ones", what, log);
    if (losses.unknownFields().count() == 0) {
      return message;
    }
    try {
      return DiscardUnknownFieldsParser.wrap(message.getParserForType())
          .parseFrom(message.toByteString());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message that was just written must parse", e);
    }
  }

  private static void warn(TextLosses.Tally tally, String loss, String what, DiagnosticLog log) {
    if (tally.count() > 0) {
      String first = tally.first().isEmpty() ? "the " + what + " itself" : tally.first();
      log.warn(
          Location.nowhere(),
          String.format(loss, tally.count())
              + ", the first is "
              + first
              + "; only the binary form carries them");
    }
  }
}
