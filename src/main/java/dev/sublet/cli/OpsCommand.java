package dev.sublet.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import dev.sublet.cli.argument.RuntimeVersion;
import dev.sublet.cli.argument.WholeNumber;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OnnxOpset;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.report.catalog.CatalogReport;
import dev.sublet.report.catalog.CatalogSummary;
import dev.sublet.report.catalog.OperatorReport;
import dev.sublet.report.catalog.OpsetReport;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet ops}: shows the operator catalog. */
@Command(
    name = "ops",
    header = "Show what Sublet knows about the operators of Paddle and ONNX",
    description = {
      "Without TYPE: counts the operators of the catalog by family. With TYPE: explains what the"
          + " operator does to its outputs, how it runs blocks, which outputs may take the memory"
          + " of which inputs, and whether 'sublet run' executes it. For a type that the catalog"
          + " does not know, shows what is assumed (exit code 1)."
    },
    footer = {
      "",
      "Examples:",
      "  sublet ops",
      "  sublet ops relu --version 2005001",
      "  sublet ops Conv",
      "  sublet ops com.microsoft.Attention",
      "  sublet ops --all --of onnx",
      "  sublet ops --opset 21",
      "  sublet ops --json",
    })
final class OpsCommand implements Verb {

  /** The framework whose operators are shown. */
  enum Framework {
    PADDLE,
    ONNX
  }

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TYPE",
      description =
          "An operator type. Those of ONNX begin with a capital letter, or with their domain and a"
              + " point.")
  private @Nullable String type;

  @Option(
      names = "--version",
      paramLabel = "N",
      converter = WholeNumber.class,
      description =
          "Show which in-place pairs are on for programs of this version, such as 2005001."
              + " Default: not shown. Example: --version 2005001.")
  private @Nullable Long version;

  @Option(
      names = "--in-place",
      paramLabel = "KIND",
      description =
          "With --version: which in-place pairs may be on: verified, table or none; see 'sublet"
              + " optimize --help'. Default: verified. Example: --in-place table.")
  private InPlaceMode inPlace = InPlaceMode.VERIFIED;

  @Option(
      names = "--runtime",
      paramLabel = "VERSION",
      converter = RuntimeVersion.class,
      description =
          "With --version: the version of Paddle that runs the program. Default: the program's"
              + " version and every later one. Example: --runtime 2.3.")
  private long runtime;

  @Option(
      names = "--of",
      paramLabel = "FRAMEWORK",
      description =
          "List the operators of one framework: paddle or onnx. Default: both. Example: --of onnx.")
  private @Nullable Framework framework;

  @Option(
      names = "--all",
      description = "List all operators, one per line, with the columns that TYPE explains.")
  private boolean all;

  @Option(
      names = "--opset",
      paramLabel = "N",
      converter = WholeNumber.class,
      description =
          "Count the operator types that this opset of ONNX's standard domain has (7 to 21), and "
              + "list those that 'sublet run' does not execute. Default: not counted. Example: --opset 21.")
  private @Nullable Long opset;

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  OpsCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (type != null && (all || framework != null)) {
      throw ProgramException.usage(
          (all ? "--all" : "--of") + " lists operators; leave " + type + " out");
    }
    OperatorCatalog catalog = OperatorCatalog.standard().with(inPlace, runtime);
    if (opset != null) {
      return count(catalog, opset);
    }
    OptionalLong judged = version == null ? OptionalLong.empty() : OptionalLong.of(version);
    if (type != null) {
      OperatorSpec spec = catalog.lookup(withoutStandardDomain(catalog, type));
      report.print(new OperatorReport(catalog, spec, judged), streams);
      return spec.known() ? ExitCode.OK : ExitCode.NO;
    }
    boolean isList = all || framework != null || version != null;
    report.print(
        isList ? new CatalogReport(catalog, listed(catalog), judged) : new CatalogSummary(catalog),
        streams);
    return ExitCode.OK;
  }

  private int count(OperatorCatalog catalog, long number) {
    if (type != null || all || framework == Framework.PADDLE || version != null) {
      throw ProgramException.usage("--opset counts the operators of ONNX; give it alone");
    }
    if (number < OnnxOpset.FIRST || number > OnnxOpset.LATEST) {
      throw ProgramException.usage(
          "--opset is "
              + number
              + "; give one from "
              + OnnxOpset.FIRST
              + " to "
              + OnnxOpset.LATEST);
    }
    report.print(new OpsetReport(catalog, new OnnxOpset((int) number)), streams);
    return ExitCode.OK;
  }

  /** Returns a type without the name of ONNX's standard domain, whose operators have no domain. */
  private static String withoutStandardDomain(OperatorCatalog catalog, String type) {
    boolean isStandard = type.startsWith("ai.onnx.") && !catalog.lookup(type).known();
    return isStandard ? type.substring("ai.onnx.".length()) : type;
  }

  private ImmutableList<OperatorSpec> listed(OperatorCatalog catalog) {
    if (framework == null) {
      return catalog.all();
    }
    return catalog.all().stream()
        .filter(spec -> spec.isOnnx() == (framework == Framework.ONNX))
        .collect(toImmutableList());
  }
}
