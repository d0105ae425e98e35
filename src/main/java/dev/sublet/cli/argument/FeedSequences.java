package dev.sublet.cli.argument;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.common.primitives.Longs;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A feed and its sequence offsets: a value of {@code --lod}.
 *
 * @param name the feed's name
 * @param levels the offsets of each level, the coarsest first; each ascends from 0
 */
public record FeedSequences(String name, ImmutableList<ImmutableLongArray> levels) {

  /** Reads {@code NAME=0,N,…[/0,N,…]}; the name ends at the last {@code =}. */
  public static final class Converter implements ITypeConverter<FeedSequences> {

    @Override
    public FeedSequences convert(String value) {
      int equals = value.lastIndexOf('=');
      if (equals < 1) {
        throw new TypeConversionException("'" + value + "' is not of the form NAME=0,N,…");
      }
      ImmutableList.Builder<ImmutableLongArray> levels = ImmutableList.builder();
      for (String level : Splitter.on('/').split(value.substring(equals + 1))) {
        levels.add(offsets(level, value));
      }
      return new FeedSequences(value.substring(0, equals), levels.build());
    }

    private static ImmutableLongArray offsets(String level, String value) {
      ImmutableLongArray.Builder offsets = ImmutableLongArray.builder();
      long previous = 0;
      int count = 0;
      for (String part : Splitter.on(',').split(level)) {
        Long offset = Longs.tryParse(part);
        if (offset == null || offset < previous || (count == 0 && offset != 0)) {
          throw new TypeConversionException(
              "'"
                  + part
                  + "' in '"
                  + value
                  + "' is not an offset; offsets are whole numbers that start at 0 and do not fall");
        }
        offsets.add(offset);
        previous = offset;
        count++;
      }
      if (count < 2) {
        throw new TypeConversionException("'" + value + "' gives no sequence: say NAME=0,N,…");
      }
      return offsets.build();
    }
  }
}
