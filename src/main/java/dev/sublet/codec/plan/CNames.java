package dev.sublet.codec.plan;

import com.google.common.base.Ascii;
import dev.sublet.codec.table.PlanNames;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Identifiers for variables in a C header: upper case, all else than ASCII letters and digits an
 * underscore, never two of these in a row, since such names are reserved in C++. Where two names
 * come to the same identifier the later one gets the first number from 2 on that is free.
 */
final class CNames {

  /** Compilers take longer ones, people do not. */
  private static final int LONGEST = 100;

  private final Set<String> used = new HashSet<>();

  /** The first number worth trying of an identifier, so that many equal ones take linear time. */
  private final Map<String, Integer> numbers = new HashMap<>();

  /** An identifier that no one else has. */
  String unique(String name) {
    String word = word(name);
    if (used.add(word)) {
      return word;
    }
    int number = numbers.getOrDefault(word, 2);
    while (!used.add(word + "_" + number)) {
      number++;
    }
    numbers.put(word, number + 1);
    return word + "_" + number;
  }

  /** An identifier; may begin with a digit. */
  static String word(String name) {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < name.length() && word.length() < LONGEST; i++) {
      char c = name.charAt(i);
      boolean plain = (c >= '0' && c <= '9') || Ascii.isUpperCase(c) || Ascii.isLowerCase(c);
      if (plain) {
        word.append(Ascii.toUpperCase(c));
      } else if (word.length() > 0 && word.charAt(word.length() - 1) != '_') {
        word.append('_');
      }
    }
    while (word.length() > 0 && word.charAt(word.length() - 1) == '_') {
      word.setLength(word.length() - 1);
    }
    return word.length() == 0 ? "V" : word.toString();
  }

  /** What all identifiers of a file begin with, from its title; a letter comes first. */
  static String prefix(String title) {
    String word = word(title);
    return word.charAt(0) <= '9' ? "PLAN_" + word : word;
  }

  /**
   * A name as it can stand in any comment: as plans write it, but bytes beyond ASCII, control
   * characters, and what would end a comment, begin another one or be a trigraph, are {@code \xNN}.
   */
  static String comment(String name) {
    byte[] bytes = PlanNames.encode(name).getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int b = bytes[i] & 0xFF;
      char before = text.length() == 0 ? ' ' : text.charAt(text.length() - 1);
      boolean escape =
          b < ' '
              || b >= 0x7F
              || (b == '/' && before == '*')
              || (b == '*' && before == '/')
              || (b == '?' && before == '?');
      if (escape) {
        text.append(String.format("\\x%02X", b));
      } else {
        text.append((char) b);
      }
    }
    return text.toString();
  }
}
