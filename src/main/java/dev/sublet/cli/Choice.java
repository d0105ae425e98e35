package dev.sublet.cli;

import com.google.common.base.Ascii;
import dev.sublet.codec.ProgramFormat;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.shape.Places;
import dev.sublet.sharing.SharingOptions;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an option whose value is one of a few words: an enum's constants, in lower case. */
final class Choice<E extends Enum<E>> implements ITypeConverter<E> {

  private final Class<E> type;

  private Choice(Class<E> type) {
    this.type = type;
  }

  /** Lets a command line read all such options. */
  static void registerAll(CommandLine commandLine) {
    register(commandLine, SharingOptions.Level.class);
    register(commandLine, SharingOptions.Policy.class);
    register(commandLine, Places.Target.class);
    register(commandLine, Views.class);
    register(commandLine, ExecutionOrder.class);
    register(commandLine, ProgramFormat.class);
    register(commandLine, BufferOrder.class);
    register(commandLine, MicroForm.class);
  }

  private static <E extends Enum<E>> void register(CommandLine commandLine, Class<E> type) {
    commandLine.registerConverter(type, new Choice<>(type));
  }

  @Override
  public E convert(String value) {
    List<String> words = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String word = Ascii.toLowerCase(constant.name());
      if (word.equals(value)) {
        return constant;
      }
      words.add(word);
    }
    throw new TypeConversionException("'" + value + "' is none of " + String.join(", ", words));
  }
}
