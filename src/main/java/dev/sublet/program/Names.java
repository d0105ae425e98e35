package dev.sublet.program;

import com.google.common.collect.ImmutableList;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.List;

/**
 * The encoding of variable names: byte strings in the file, {@code String}s in the program.
 *
 * <p>Old writers never checked names for UTF-8. A valid name is decoded as UTF-8. In any other name
 * each byte above 0x7F becomes the lone surrogate {@code U+DC00 + byte}; no valid UTF-8 decodes to
 * a lone surrogate, so distinct byte strings stay distinct and {@link #encode} is exact.
 */
public final class Names {

  /** The argument that means "no variable"; it resolves to no variable, which is never an error. */
  public static final String EMPTY = "@EMPTY@";

  private static final char ESCAPE = '\uDC00';

  private Names() {}

  /** Returns the name for bytes of a file. O(length). */
  static String decode(ByteString bytes) {
    if (bytes.isValidUtf8()) {
      return bytes.toStringUtf8();
    }
    StringBuilder name = new StringBuilder(bytes.size());
    for (int i = 0; i < bytes.size(); i++) {
      int b = bytes.byteAt(i) & 0xFF;
      name.append((char) (b < 0x80 ? b : ESCAPE + b));
    }
    return name.toString();
  }

  /** Returns the bytes of a name from {@link #decode}, or of an ordinary string. O(length). */
  static ByteString encode(String name) {
    if (!isEscaped(name)) {
      return ByteString.copyFromUtf8(name);
    }
    byte[] bytes = new byte[name.length()];
    for (int i = 0; i < bytes.length; i++) {
      char c = name.charAt(i);
      bytes[i] = (byte) (c < 0x80 ? c : c - ESCAPE);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** Whether the name's bytes are not UTF-8. */
  static boolean isEscaped(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isLowSurrogate(c)
          && (i == 0 || !Character.isHighSurrogate(name.charAt(i - 1)))) {
        return true;
      }
    }
    return false;
  }

  /** The names of variables as text for people, in the order of the variables. */
  public static ImmutableList<String> display(List<Variable> variables) {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (Variable variable : variables) {
      names.add(display(variable.name()));
    }
    return names.build();
  }

  /** The name as text for people: if its bytes are not UTF-8, bytes above 0x7F as {@code \xNN}. */
  public static String display(String name) {
    if (!isEscaped(name)) {
      return name;
    }
    StringBuilder text = new StringBuilder(name.length() + 8);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c < 0x80) {
        text.append(c);
      } else {
        text.append(String.format("\\x%02X", c - ESCAPE));
      }
    }
    return text.toString();
  }
}
