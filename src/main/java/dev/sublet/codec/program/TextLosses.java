package dev.sublet.codec.program;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;

/**
 * Counts the parts of a message that a text form cannot represent, and records the place of the
 * first part of each kind. Walks the message by reflection: O(size), but slower than parsing it.
 */
public final class TextLosses {

  private static final String REPLACEMENT_CHARACTER = "\uFFFD";

  /**
   * The number of losses of one kind, and the path of the first, such as {@code blocks[0].ops[3]}.
   */
  public static final class Tally {
    private int count;
    private String first = "";

    private void add(StringBuilder path) {
      if (count++ == 0) {
        first = path.toString();
      }
    }

    /** Returns the number of losses. */
    public int count() {
      return count;
    }

    /** Returns the path of the first loss; empty if there is none. */
    public String first() {
      return first;
    }
  }

  private final Tally unknownFields = new Tally();
  private final Tally undecodableStrings = new Tally();
  private final Tally replacementCharacters = new Tally();
  private final Tally unusualNans = new Tally();
  private final StringBuilder path = new StringBuilder();

  private TextLosses() {}

  /** Returns the losses of a message. */
  public static TextLosses of(Message message) {
    TextLosses losses = new TextLosses();
    losses.visit(message);
    return losses;
  }

  /** The messages with fields that the schema does not have. */
  public Tally unknownFields() {
    return unknownFields;
  }

  /** The string fields with bytes that are not UTF-8. */
  Tally undecodableStrings() {
    return undecodableStrings;
  }

  /** The strings that contain U+FFFD once decoded, including the undecodable ones. */
  Tally replacementCharacters() {
    return replacementCharacters;
  }

  /** The NaNs with a bit pattern other than the usual one. */
  Tally unusualNans() {
    return unusualNans;
  }

  private void visit(Message message) {
    if (message.getUnknownFields().getSerializedSize() > 0) {
      unknownFields.add(path);
    }
    int length = path.length();
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      path.append(length == 0 ? "" : ".").append(field.getName());
      visit(message, field, entry.getValue());
      path.setLength(length);
    }
  }

  private void visit(Message owner, FieldDescriptor field, Object value) {
    boolean suspicious = false;
    if (value instanceof List<?> elements) {
      int length = path.length();
      for (int i = 0; i < elements.size(); i++) {
        path.append('[').append(i).append(']');
        suspicious |= visitElement(elements.get(i));
        path.setLength(length);
      }
    } else {
      suspicious = visitElement(value);
    }
    if (suspicious && isChangedByDecoding(owner, field, value)) {
      undecodableStrings.add(path);
    }
  }

  /** Visits a single value. Returns whether it is a string that may have lost bytes in decoding. */
  private boolean visitElement(Object value) {
    if (value instanceof Message message) {
      visit(message);
    } else if (value instanceof Float number) {
      if (number.isNaN() && Float.floatToRawIntBits(number) != Float.floatToIntBits(number)) {
        unusualNans.add(path);
      }
    } else if (value instanceof Double number) {
      if (number.isNaN() && Double.doubleToRawLongBits(number) != Double.doubleToLongBits(number)) {
        unusualNans.add(path);
      }
    } else if (value instanceof String text && text.contains(REPLACEMENT_CHARACTER)) {
      replacementCharacters.add(path);
      return true;
    }
    return false;
  }

  /**
   * Whether decoding changed a string field. Reflection returns strings only decoded; if decoding
   * lost bytes, the message with the decoded string serializes differently.
   */
  private static boolean isChangedByDecoding(Message owner, FieldDescriptor field, Object value) {
    Message decoded = owner.toBuilder().setField(field, value).buildPartial();
    return !decoded.toByteString().equals(owner.toByteString());
  }
}
