package dev.sublet.codec.program;

import com.google.common.base.CharMatcher;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.util.List;

/** Parses a message from any of its forms; every failure is a message of one line. */
public final class MessageParser {

  private MessageParser() {}

  /**
   * Fills a builder from a file's content. O(length).
   *
   * @throws ProgramException if the content is not such a message or a required field is missing;
   *     the exception has no file name
   */
  public static void parse(Content content, Message.Builder builder) {
    switch (content.format()) {
      case BINARY -> parseBinary(content.bytes(), builder);
      case TEXT -> TextForm.parse(content.text(), builder);
      case JSON -> JsonForm.parse(content.text(), builder);
    }
    if (!builder.isInitialized()) {
      List<String> missing = builder.findInitializationErrors();
      String others = missing.size() == 1 ? "" : ", and " + (missing.size() - 1) + " more";
      throw ProgramException.unreadable(
          Location.nowhere(), "required field " + missing.get(0) + " is missing" + others);
    }
  }

  private static void parseBinary(byte[] bytes, Message.Builder builder) {
    CodedInputStream input = CodedInputStream.newInstance(bytes);
    try {
      builder.mergeFrom(input);
      input.checkLastTagWas(0);
    } catch (IOException e) {
      String type = builder.getDescriptorForType().getName();
      throw ProgramException.unreadable(
          Location.nowhere(),
          String.format(
              "not a %s, or a damaged one: at byte %s of %s, %s",
              type, input.getTotalBytesRead(), bytes.length, reason(e)));
    }
  }

  /** The first sentence of protobuf's explanation, without its standard prefixes. */
  private static String reason(IOException failure) {
    if (!(failure instanceof InvalidProtocolBufferException)) {
      return String.valueOf(failure.getMessage());
    }
    String message = String.valueOf(failure.getMessage());
    int end = message.indexOf(". ");
    String sentence = end < 0 ? message : message.substring(0, end);
    return sentence
        .replace("While parsing a protocol message, ", "")
        .replace("Protocol message", "the message")
        .replaceFirst("\\.$", "");
  }

  /** Returns an explanation by protobuf as one line, with the message types of the schema. */
  public static String oneLine(String explanation) {
    String line = CharMatcher.javaIsoControl().replaceFrom(explanation, ' ');
    String shortened = line.replace("dev.sublet.proto.", "");
    return shortened.endsWith(".") ? shortened.substring(0, shortened.length() - 1) : shortened;
  }
}
