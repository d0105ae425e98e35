package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;
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
        "Makes Paddle programs and ONNX models need less memory, and proves that they still"
            + " compute the same.",
    footer = {
      "",
      "Examples:",
      "  sublet optimize model.pdmodel -o small.pdmodel --plan small.plan.json",
      "  sublet verify model.pdmodel small.pdmodel --plan small.plan.json",
      "  sublet plan model.onnx -o model.plan.json --shape input_ids=1,128",
      "  sublet inspect model.pdmodel --batch 8",
      "",
      "'sublet VERB --help' explains the options of a verb. Programs are .pdmodel, __model__,"
          + " .onnx, textproto or JSON files, or a directory that contains one; '-' is standard"
          + " input or output.",
      "",
      "Exit codes:",
      "  0   success",
      "  1   the check failed: not valid, not equal, too large, not in the catalog",
      "  2   wrong command line",
      "  3   unreadable input",
      "  4   unsupported: an operator under --strict, or a limit of the machine",
      "  5   not feasible: no plan fits, or --max-steps is reached",
      "  70  a bug in Sublet",
    })
final class SubletCommand implements Verb {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public int call() {
    CommandSpec own = requireNonNull(spec);
    throw new ParameterException(
        own.commandLine(), "name a verb: " + String.join(", ", own.subcommands().keySet()));
  }

  /** Provides the version that the build wrote into the jar's manifest, or into the module. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String inJar = SubletCommand.class.getPackage().getImplementationVersion();
      ModuleDescriptor module = SubletCommand.class.getModule().getDescriptor();
      String version =
          Optional.ofNullable(inJar)
              .or(() -> Optional.ofNullable(module).flatMap(ModuleDescriptor::rawVersion))
              .orElse("(development build)");
      return new String[] {"sublet " + version};
    }
  }
}
