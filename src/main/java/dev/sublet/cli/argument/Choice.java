package dev.sublet.cli.argument;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import dev.sublet.diag.NameHint;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.TypeConversionException;

/** Parses options whose value is one of a few words: the constants of an enum, in lower case. */
public final class Choice {

  private Choice() {}

  /** Registers a parser for every such option of the verbs of a command line. */
  public static void registerAll(CommandLine commandLine) {
    for (CommandLine verb : ImmutableList.copyOf(commandLine.getSubcommands().values())) {
      for (ArgSpec argument : verb.getCommandSpec().args()) {
        for (Class<?> type : argument.auxiliaryTypes()) {
          if (type.isEnum()) {
            register(verb, type);
          }
        }
      }
    }
  }

  private static <E> void register(CommandLine verb, Class<E> type) {
    verb.registerConverter(type, new Words<>(type));
  }

  /**
   * Parses the words of one enum. No lambda: the Java virtual machine leaves an interface as old as
   * picocli's out of the archive of classes if a lambda implements it, and all converters with it.
   */
  private record Words<E>(Class<E> type) implements ITypeConverter<E> {

    @Override
    public E convert(String value) {
      List<String> words = new ArrayList<>();
      for (E constant : type.getEnumConstants()) {
        String word = Ascii.toLowerCase(((Enum<?>) constant).name());
        if (word.equals(value)) {
          return constant;
        }
        words.add(word);
      }
      throw new TypeConversionException(
          "'" + value + "' is not a valid word" + NameHint.of(value, "words", words));
    }
  }
}
