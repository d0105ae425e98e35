package dev.sublet.picture;

import com.google.common.xml.XmlEscapers;
import java.util.Locale;

/** SVG elements as text, in the order in which they are added. Lengths are pixels. */
final class SvgText {

  /**
   * The approximate width of a character of the small font, in which all characters are equally
   * wide.
   */
  static final double CHARACTER = 5.7;

  private final StringBuilder text = new StringBuilder();

  /** Adds markup without escaping it. */
  void raw(String markup) {
    text.append(markup);
  }

  /** Adds a rectangle, with a tooltip if {@code words} is not empty. */
  void rect(double x, double y, double width, double height, String classes, String words) {
    text.append("<rect x=\"")
        .append(number(x))
        .append("\" y=\"")
        .append(number(y))
        .append("\" width=\"")
        .append(number(width))
        .append("\" height=\"")
        .append(number(height))
        .append("\" class=\"")
        .append(classes)
        .append(words.isEmpty() ? "\"/>\n" : "\"><title>" + escape(words) + "</title></rect>\n");
  }

  /** Adds a line. */
  void line(double x1, double y1, double x2, double y2, String classes) {
    text.append("<path d=\"M")
        .append(number(x1))
        .append(' ')
        .append(number(y1))
        .append('L')
        .append(number(x2))
        .append(' ')
        .append(number(y2))
        .append("\" class=\"")
        .append(classes)
        .append("\"/>\n");
  }

  /** Adds a path. */
  void path(String d, String classes) {
    text.append("<path d=\"").append(d).append("\" class=\"").append(classes).append("\"/>\n");
  }

  /** Adds words whose beginning, middle or end, depending on the classes, is at a position. */
  void words(double x, double y, String words, String classes) {
    text.append("<text x=\"")
        .append(number(x))
        .append("\" y=\"")
        .append(number(y))
        .append("\" class=\"")
        .append(classes)
        .append("\">")
        .append(escape(words))
        .append("</text>\n");
  }

  /** Adds words that are written upwards, at a position. */
  void upwards(double x, double y, String words, String classes) {
    text.append("<text transform=\"translate(")
        .append(number(x))
        .append(' ')
        .append(number(y))
        .append(")rotate(-90)\" class=\"")
        .append(classes)
        .append("\">")
        .append(escape(words))
        .append("</text>\n");
  }

  /** Returns words cut to a width; empty if fewer than five characters fit. */
  static String fitting(String words, double width) {
    int most = (int) (width / CHARACTER);
    int length = words.codePointCount(0, words.length());
    if (length <= most) {
      return words;
    }
    return most < 5 ? "" : words.substring(0, words.offsetByCodePoints(0, most - 1)) + "…";
  }

  /** Formats a number with at most two decimals. */
  static String number(double value) {
    String digits = String.format(Locale.ROOT, "%.2f", value);
    int end = digits.length();
    while (digits.charAt(end - 1) == '0') {
      end--;
    }
    if (digits.charAt(end - 1) == '.') {
      end--;
    }
    String shortest = digits.substring(0, end);
    return shortest.equals("-0") ? "0" : shortest;
  }

  static String escape(String words) {
    return XmlEscapers.xmlAttributeEscaper().escape(words);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
