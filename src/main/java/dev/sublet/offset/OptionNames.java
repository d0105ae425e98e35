package dev.sublet.offset;

/** What the user calls the options of offset planning: messages call them the same. */
public enum OptionNames {
  /** As {@code sublet plan --help} has them, such as {@code --align}. */
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
  /** As {@code plugin.proto} has them, such as {@code options.alignment}. */
  PLUGIN {
    @Override
    String of(String field) {
      return "options." + field;
    }
  };

  /** The name of an option that is a field of {@code PlanRequestOptions}. */
  abstract String of(String field);
}
