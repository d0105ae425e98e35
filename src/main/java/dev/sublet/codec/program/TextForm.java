package dev.sublet.codec.program;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages in protobuf text format. Characters beyond ASCII are written as octal escapes, so the
 * text survives any editor. The caller must remove unknown fields first.
 */
public final class TextForm {

  private static final TextFormat.Parser PARSER =
      TextFormat.Parser.newBuilder()
          .setSingularOverwritePolicy(
              TextFormat.Parser.SingularOverwritePolicy.FORBID_SINGULAR_OVERWRITES)
          .build();

  /** A line of protobuf's list of unknown fields: line, column, message type, field. */
  private static final Pattern UNKNOWN =
      Pattern.compile("(?m)^(\\d+):(\\d+):\\t(?:\\w+\\.)*?((?:[A-Z]\\w*\\.?)+)\\.(\\w+)$");

  private static final Pattern POSITION = Pattern.compile("^\\d+:\\d+: ");

  private TextForm() {}

  static void parse(String text, Message.Builder builder) {
    try {
      PARSER.merge(DenseTensorNames.replaceInText(text), builder);
    } catch (TextFormat.ParseException e) {
      Descriptor type = builder.getDescriptorForType();
      boolean beginsWell = type.findFieldByName(InputKind.firstWord(text)) != null;
      throw ProgramException.unreadable(
          Location.nowhere(), (beginsWell ? "" : "not a " + type.getName() + ": ") + describe(e));
    }
  }

  /** Returns the message in protobuf text form. O(length). */
  public static String print(Message message) {
    return TextFormat.printer().printToString(message);
  }

  private static String describe(TextFormat.ParseException failure) {
    String message = String.valueOf(failure.getMessage());
    Matcher unknown = UNKNOWN.matcher(message);
    if (unknown.find()) {
      return String.format(
          "%s:%s: %s has no field '%s'",
          unknown.group(1), unknown.group(2), unknown.group(3), unknown.group(4));
    }
    String sentence = POSITION.matcher(message).replaceFirst("");
    return failure.getLine() + ":" + failure.getColumn() + ": " + MessageParser.oneLine(sentence);
  }
}
