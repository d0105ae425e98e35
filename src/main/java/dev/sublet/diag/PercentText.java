package dev.sublet.diag;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads percentages: {@code 2%} and {@code 0.5} are 2 and 0.5. */
public final class PercentText {

  private static final Pattern FORM = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?%?");

  private PercentText() {}

  /** Returns a percentage from 0 as an exact number; empty if the text has another form. */
  public static Optional<BigDecimal> parse(String text) {
    if (!FORM.matcher(text).matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new BigDecimal(text.endsWith("%") ? text.substring(0, text.length() - 1) : text));
  }

  /** Returns the error message for a text that is no percentage. */
  public static String refusal(String text) {
    return "'" + text + "' is not a percentage; write a number from 0, such as 2% or 0.5%";
  }
}
