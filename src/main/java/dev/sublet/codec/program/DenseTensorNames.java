package dev.sublet.codec.program;

import com.google.common.collect.ImmutableMap;

/**
 * Restores the former names of the fields that Paddle 3 renamed. The binary form did not change;
 * only the text forms differ.
 *
 * <p>In text format, a name is replaced outside strings and comments, and padded to its old length,
 * so that lines and columns in error messages stay those of the file. O(length).
 *
 * <p>Source: Paddle's renaming of LoDTensor to DenseTensor in 3.0 (issue 69305).
 */
final class DenseTensorNames {

  private static final ImmutableMap<String, String> OLD_NAMES =
      ImmutableMap.of(
          "dense_tensor", "lod_tensor",
          "legacy_lod_level", "lod_level",
          "denseTensor", "lodTensor",
          "legacyLodLevel", "lodLevel");

  private final String source;
  private final StringBuilder target;
  private int position;

  private DenseTensorNames(String source) {
    this.source = source;
    this.target = new StringBuilder(source.length());
  }

  /** Returns the name of a field before Paddle 3; other names are returned unchanged. */
  static String oldName(String name) {
    return OLD_NAMES.getOrDefault(name, name);
  }

  /** Returns the text with the old field names. */
  static String replaceInText(String text) {
    return new DenseTensorNames(text).scan();
  }

  private String scan() {
    while (position < source.length()) {
      char c = source.charAt(position);
      if (c == '"' || c == '\'') {
        copyTo(endOfString(c));
      } else if (c == '#') {
        int end = source.indexOf('\n', position);
        copyTo(end < 0 ? source.length() : end);
      } else if (isWord(c)) {
        replaceTo(endOfWord());
      } else {
        copyTo(position + 1);
      }
    }
    return target.toString();
  }

  private void replaceTo(int end) {
    String name = source.substring(position, end);
    String old = oldName(name);
    target.append(old).append(" ".repeat(name.length() - old.length()));
    position = end;
  }

  private void copyTo(int end) {
    target.append(source, position, end);
    position = end;
  }

  /**
   * Returns the position after the string that starts here; the end of the text if the string is
   * not closed.
   */
  private int endOfString(char quote) {
    for (int i = position + 1; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == quote) {
        return i + 1;
      }
    }
    return source.length();
  }

  private int endOfWord() {
    int end = position;
    while (end < source.length() && isWord(source.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isWord(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
