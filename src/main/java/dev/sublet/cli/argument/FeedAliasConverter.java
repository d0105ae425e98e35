package dev.sublet.cli.argument;

import com.google.common.base.Ascii;
import dev.sublet.liveness.FeedAliasNames;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a value of {@code --alias}: {@code PAST=PRESENT}. */
public final class FeedAliasConverter implements ITypeConverter<FeedAliasNames> {

  /** The maximum number of characters of a wrong value that a message repeats. */
  private static final int MAX_QUOTED = 200;

  @Override
  public FeedAliasNames convert(String value) {
    int equals = value.indexOf('=');
    boolean isPair = equals >= 0 && value.indexOf('=', equals + 1) < 0;
    FeedAliasNames names =
        isPair
            ? new FeedAliasNames(value.substring(0, equals), value.substring(equals + 1))
            : new FeedAliasNames("", "");
    Optional<String> fault = names.fault();
    if (fault.isPresent()) {
      throw new TypeConversionException(
          "'" + Ascii.truncate(value, MAX_QUOTED, "…") + "' " + fault.get());
    }
    return names;
  }
}
