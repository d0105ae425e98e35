package dev.sublet.offset;

/** The names of the options of offset planning as the user writes them, for messages. */
public enum OptionNames {
  /** The names in {@code sublet plan --help}, such as {@code --align}. */
  COMMAND_LINE {
    @Override
    String of(String field) {
      return switch (field) {
        case "alignment" -> "--align";
        case "timeout_ms" -> "--timeout";
        case "pools" -> "--pool";
        default -> "--" + field;
      };
    }
  },
  /** The names in {@code plugin.proto}, such as {@code options.alignment}. */
  PLUGIN {
    @Override
    String of(String field) {
      return "options." + field;
    }
  };

  /** The name of an option that is a field of {@code PlanRequestOptions}. */
  abstract String of(String field);
}
