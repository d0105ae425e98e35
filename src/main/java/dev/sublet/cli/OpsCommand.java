package dev.sublet.cli;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import dev.sublet.cli.argument.RuntimeVersion;
import dev.sublet.cli.argument.WholeNumber;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlaceMode;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.report.CatalogReport;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet ops}: shows the operator catalog. */
@Command(
    name = "ops",
    description = {
      "Shows what Sublet knows about operators: what they do to their outputs, how they run blocks,"
          + " which outputs can take the memory of which inputs, whether and how `sublet run` executes"
          + " them. With a TYPE that the catalog does"
          + " not know: what is assumed of it (exit 1)."
    },
    footer = {
      "",
      "Examples:",
      "  sublet ops",
      "  sublet ops relu --version 2005001",
      "  sublet ops --of onnx",
      "  sublet ops com.microsoft.Attention",
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
      description = "Only this operator type.")
  private @Nullable String type;

  @Option(
      names = "--version",
      paramLabel = "N",
      converter = WholeNumber.class,
      description =
          "Also show which in-place pairs are on for programs of this version, such as 2005001."
              + " Default: not shown. Example: --version 2005001.")
  private @Nullable Long version;

  @Option(
      names = "--in-place",
      paramLabel = "KIND",
      description =
          "Which in-place pairs are on, with --version: verified, table or none."
              + " Default: verified. Example: --in-place table.")
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
          "Only operators of one framework: paddle or onnx. ONNX's types begin with a capital letter"
              + " or have their domain in front. Default: both. Example: --of onnx.")
  private @Nullable Framework framework;

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  OpsCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    OperatorCatalog catalog = OperatorCatalog.standard().with(inPlace, runtime);
    ImmutableList<OperatorSpec> specs =
        type == null ? listed(catalog) : ImmutableList.of(catalog.lookup(type));
    OptionalLong judged = version == null ? OptionalLong.empty() : OptionalLong.of(version);
    report.print(new CatalogReport(catalog, specs, judged), streams);
    return type == null || specs.get(0).known() ? ExitCode.OK : ExitCode.NO;
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
