package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sublet} without a verb. */
@Command(
    name = "sublet",
    synopsisSubcommandLabel = "VERB",
    versionProvider = SubletCommand.Version.class,
    description =
        "Makes Paddle programs need less memory, and proves that they still compute the same.",
    footer = {
      "",
      "Examples:",
      "  sublet optimize model.pdmodel -o small.pdmodel --plan small.plan.json",
      "  sublet verify model.pdmodel small.pdmodel --plan small.plan.json",
      "  sublet inspect model.pdmodel --batch 8",
      "",
      "Programs are read as .pdmodel, __model__, a directory that holds one, textproto or JSON;",
      "'-' is standard input or output.",
      "",
      "Exit codes: 0 ok; 1 the answer is no; 2 usage; 3 unreadable input; 4 unsupported under",
      "--strict; 5 infeasible; 70 internal error.",
    })
final class SubletCommand implements Verb {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public int call() {
    CommandSpec own = requireNonNull(spec);
    throw new ParameterException(
        own.commandLine(), "name a verb: " + String.join(", ", own.subcommands().keySet()));
  }

  /** Provides the version that the build wrote into the jar's manifest. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String version = SubletCommand.class.getPackage().getImplementationVersion();
      return new String[] {"sublet " + (version == null ? "(development build)" : version)};
    }
  }
}
