package dev.sublet.cli.flag;

import dev.sublet.cli.argument.FeedShape;
import dev.sublet.diag.ProgramException;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for sharing names. */
public final class SharingFlags {

  @Option(
      names = "--level",
      paramLabel = "exact|fit",
      description =
          "Which variables may share a name. exact: variables of the same shape; fit: a "
              + "variable may also take the name of a larger one. Default: fit. Example: "
              + "--level exact.")
  private SharingOptions.Level level = SharingOptions.Level.FIT;

  @Option(
      names = "--policy",
      paramLabel = "pool|global|best",
      description =
          "How to choose the variables that share a name. pool: operator by operator; "
              + "global: over all live ranges at once; best: the better of both. Default: "
              + "best. Example: --policy pool.")
  private SharingOptions.Policy policy = SharingOptions.Policy.BEST;

  @Option(
      names = "--typical",
      paramLabel = "NAME=D,D,…",
      converter = FeedShape.Converter.class,
      description =
          "A shape of a feed with open extents by which names are chosen; the result is right "
              + "for all shapes. A feed with sequences is one sequence. Repeatable. Default: 256 "
              + "for each open extent but the batch. Example: --typical image=1,3,320,320.")
  private List<FeedShape> typical = new ArrayList<>();

  @Option(
      names = "--fusion",
      paramLabel = "safe|off",
      description =
          "The runtime of the result. safe: one that applies Paddle's default graph "
              + "passes (ir_optim); off: one without them. Default: safe; off with --release and "
              + "--schedule memory. "
              + "Example: --fusion off.")
  private @Nullable FusionMode fusion;

  @Option(
      names = "--release",
      description = "Insert delete_var operators after the last uses of variables.")
  private boolean release;

  @Option(
      names = "--strip-debug",
      description =
          "Remove op_callstack attributes, which are most of the bytes of many files; from an ONNX "
              + "model, what exporters wrote to the doc_string of nodes.")
  private boolean stripDebug;

  /**
   * Returns the options for operators that keep their order.
   *
   * @throws ProgramException as {@link #options(boolean, boolean)} does
   */
  public SharingOptions options(boolean inPlace) {
    return options(inPlace, /* moves= */ false);
  }

  /**
   * Returns the options.
   *
   * @param inPlace whether outputs may be computed in the memory of inputs
   * @param moves whether operators may get another order
   * @throws ProgramException if two flags exclude each other, or a feed gets two typical shapes
   */
  public SharingOptions options(boolean inPlace, boolean moves) {
    if (release && fusion == FusionMode.SAFE) {
      throw ProgramException.usage(
          "--fusion safe and --release exclude each other: graph passes do not match operators"
              + " whose results a delete_var reads");
    }
    if (moves && fusion == FusionMode.SAFE) {
      throw ProgramException.usage(
          "--fusion safe and --schedule memory exclude each other: graph passes put operators in an"
              + " order of their own");
    }
    FusionMode standard = release || moves ? FusionMode.OFF : FusionMode.SAFE;
    return new SharingOptions(policy, level, inPlace, fusion == null ? standard : fusion)
        .withTypical(typical());
  }

  private ShapeOptions typical() {
    ShapeOptions shapes = ShapeOptions.defaults();
    for (FeedShape shape : typical) {
      if (shapes.feedShapes().containsKey(shape.name())) {
        throw ProgramException.usage("--typical gives '" + shape.name() + "' two shapes");
      }
      shapes = shapes.withShape(shape.name(), shape.dims().toArray());
    }
    return shapes;
  }

  /** Whether {@code delete_var} operators are to be inserted. */
  public boolean release() {
    return release;
  }

  /** Whether {@code op_callstack} attributes are to be removed. */
  public boolean stripDebug() {
    return stripDebug;
  }
}
