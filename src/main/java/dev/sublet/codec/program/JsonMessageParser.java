package dev.sublet.codec.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Ascii;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message from JSON with strict syntax. A field may have either of its two names and must
 * occur at most once; required fields must be present; {@code null} stands for an absent field. The
 * parser reads a stream, and its recursion is as deep as the schema, not as the input. {@link
 * JsonScalars} parses the scalars.
 *
 * <p>Protobuf's own parser is not used for three reasons: it does not report the place of an error,
 * it does not report the full name of a missing field, and it reads a double of -0.0 as 0.0.
 */
final class JsonMessageParser {

  /** The end of Gson's messages, and of its description of a reader. */
  private static final Pattern LOCATED =
      Pattern.compile("(.*) at line (\\d+) column (\\d+) path (\\S*).*", Pattern.DOTALL);

  private final JsonReader reader;

  JsonMessageParser(String json) {
    this.reader = new JsonReader(new StringReader(json));
  }

  /**
   * Fills a builder. O(length).
   *
   * @throws ProgramException if the JSON is malformed; the message has no file name and begins with
   *     line and column
   */
  void parse(Message.Builder message) {
    try {
      readMessage(message);
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw malformed("there is more after the end of the object");
      }
    } catch (IOException e) {
      throw located(String.valueOf(e.getMessage()), null);
    } catch (NumberFormatException e) { // Gson's message is only the escape.
      throw malformed("malformed JSON: " + e.getMessage() + " is not an escape");
    }
  }

  private void readMessage(Message.Builder message) throws IOException {
    Descriptor type = message.getDescriptorForType();
    if (reader.peek() != JsonToken.BEGIN_OBJECT) {
      throw malformed("expected an object with the fields of " + type.getName());
    }
    Set<FieldDescriptor> present = new HashSet<>();
    reader.beginObject();
    while (reader.hasNext()) {
      String name = reader.nextName();
      FieldDescriptor field = find(type, name);
      if (field == null) {
        throw malformed(unknown(type, name));
      }
      if (reader.peek() == JsonToken.NULL) {
        reader.nextNull();
      } else if (!present.add(field)) {
        throw malformed("field '" + name + "' is there twice");
      } else if (field.isRepeated()) {
        readArray(message, field);
      } else {
        message.setField(field, readValue(message, field));
      }
    }
    for (FieldDescriptor field : type.getFields()) {
      if (field.isRequired() && !present.contains(field)) {
        throw malformed("required field '" + field.getName() + "' is missing");
      }
    }
    reader.endObject();
  }

  private static @Nullable FieldDescriptor find(Descriptor type, String written) {
    String name = DenseTensorNames.oldName(written);
    FieldDescriptor field = type.findFieldByName(name);
    if (field != null) {
      return field;
    }
    for (FieldDescriptor candidate : type.getFields()) {
      if (candidate.getJsonName().equals(name)) {
        return candidate;
      }
    }
    return null;
  }

  private static String unknown(Descriptor type, String name) {
    return type.getName() + " has no field '" + name + "'";
  }

  private void readArray(Message.Builder message, FieldDescriptor field) throws IOException {
    if (reader.peek() != JsonToken.BEGIN_ARRAY) {
      throw malformed("expected an array for '" + field.getName() + "'");
    }
    reader.beginArray();
    while (reader.hasNext()) {
      message.addRepeatedField(field, readValue(message, field));
    }
    reader.endArray();
  }

  private Object readValue(Message.Builder owner, FieldDescriptor field) throws IOException {
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      Message.Builder message = owner.newBuilderForField(field);
      readMessage(message);
      return message.build();
    }
    JsonToken token = reader.peek();
    String value =
        switch (token) {
          case STRING, NUMBER -> reader.nextString();
          case BOOLEAN -> String.valueOf(reader.nextBoolean());
          default -> throw malformed("expected a single value for '" + field.getName() + "'");
        };
    try {
      return JsonScalars.parse(field, token, value);
    } catch (IllegalArgumentException e) {
      // Converted through UTF-8, so that half a surrogate pair does not get into the message.
      String shown = new String(Ascii.truncate(value, 40, "...").getBytes(UTF_8), UTF_8);
      throw malformed("'" + field.getName() + "' is not a " + e.getMessage() + ": " + shown);
    }
  }

  private ProgramException malformed(String message) {
    return located(reader.toString(), message);
  }

  /** Moves the line and column from the end of a description by Gson to the front. */
  private static ProgramException located(String description, @Nullable String message) {
    Matcher matcher = LOCATED.matcher(description);
    if (!matcher.matches()) {
      return ProgramException.unreadable(Location.nowhere(), MessageParser.oneLine(description));
    }
    String what = message == null ? matcher.group(1) : message;
    if (what.startsWith("Use JsonReader.setLenient")) {
      what = "malformed JSON";
    }
    return ProgramException.unreadable(
        Location.nowhere(),
        matcher.group(2)
            + ":"
            + matcher.group(3)
            + ": "
            + MessageParser.oneLine(what)
            + ", in "
            + MessageParser.oneLine(matcher.group(4)));
  }
}
