package dev.sublet.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Place;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the bytes of every variable from its declared type and the options: the front door of the
 * package. O(variables).
 *
 * <p>A declared extent is taken as it is; a leading -1 becomes the batch; a feed with a given shape
 * has that shape. Nothing is propagated through operators yet, so any other -1 leaves the
 * variable's size unknown, with the reason.
 */
public final class ShapeInference {

  private static final long MAX_TOTAL = Long.MAX_VALUE / 4;

  private static final ImmutableLongArray NO_DIMS = ImmutableLongArray.of();

  private final Program program;
  private final ShapeOptions options;
  private final LodCarriers lod;
  private final boolean hasBatch;
  private final long batch;
  private final long[] bytes;
  private final Sizes.Extent[] extents;
  private final String[] reasons;

  private ShapeInference(Program program, LodCarriers lod, ShapeOptions options) {
    this.program = program;
    this.options = options;
    this.lod = lod;
    this.bytes = new long[program.variableCount()];
    this.extents = new Sizes.Extent[program.variableCount()];
    this.reasons = new String[program.variableCount()];
    checkFeedShapes();
    BitSet feeds = declaredFeeds();
    this.hasBatch = feeds.isEmpty() || feeds.stream().anyMatch(this::hasOpenBatch);
    this.batch = batchOfFeeds();
  }

  /**
   * The sizes of all variables.
   *
   * @throws ProgramException if a size, or the sum of all, does not fit 64 bits, an extent is below
   *     -1, or a given shape is for a name that the program's entry block does not declare as a
   *     tensor, or contradicts the batch
   */
  public static Sizes infer(Program program, LodCarriers lod, ShapeOptions options) {
    return new ShapeInference(program, lod, options).infer();
  }

  /** What the program itself declares as feeds. */
  private BitSet declaredFeeds() {
    BitSet feeds = new BitSet();
    for (Variable variable : program.block(0).variables()) {
      feeds.set(variable.index(), variable.needsFeedCheck());
    }
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("feed")) {
        for (int i = 0; i < operation.outputCount(); i++) {
          if (operation.output(i) != Program.NO_VARIABLE) {
            feeds.set(operation.output(i));
          }
        }
      }
    }
    return feeds;
  }

  private boolean hasOpenBatch(int variable) {
    Optional<TensorType> type = program.variable(variable).tensorType();
    return type.isPresent()
        && !type.get().dims().isEmpty()
        && type.get().dims().get(0) == -1
        && !lod.carries(variable);
  }

  /** The batch: that of the given feed shapes if they bind one, else the option's. */
  private long batchOfFeeds() {
    long bound = options.batch();
    String boundBy = bound == 1 ? "" : "--batch " + bound;
    for (Map.Entry<String, ImmutableLongArray> given : options.feedShapes().entrySet()) {
      int variable = program.declared(0, given.getKey());
      if (!hasOpenBatch(variable) || given.getValue().isEmpty()) {
        continue;
      }
      long leading = given.getValue().get(0);
      if (!boundBy.isEmpty() && leading != bound) {
        throw ProgramException.usage(
            "--shape gives '"
                + Names.display(given.getKey())
                + "' a batch of "
                + leading
                + ", but "
                + boundBy
                + " says "
                + bound);
      }
      bound = leading;
      boundBy = "the shape of '" + Names.display(given.getKey()) + "'";
    }
    return bound;
  }

  private Sizes infer() {
    ImmutableList.Builder<DataType> dataTypes = ImmutableList.builder();
    ImmutableList.Builder<ImmutableLongArray> dims = ImmutableList.builder();
    for (Variable variable : program.variables()) {
      TensorType type = variable.tensorType().orElse(null);
      if (type == null) {
        dataTypes.add(DataType.UNKNOWN);
        dims.add(NO_DIMS);
        leaveUnknown(variable, "not a dense tensor");
        continue;
      }
      ImmutableLongArray given =
          variable.block() == 0 ? options.feedShapes().get(variable.name()) : null;
      ImmutableLongArray declared = given == null ? type.dims() : given;
      dataTypes.add(type.dataType());
      dims.add(bind(declared));
      measure(variable, type.dataType(), declared);
    }
    checkTotal();
    return new Sizes(batch, bytes, extents, dataTypes.build(), dims.build(), reasons);
  }

  /** All later sums of sizes, padding included, must fit 64 bits. */
  private void checkTotal() {
    long total = 0;
    for (Variable variable : program.variables()) {
      total += Math.max(0, bytes[variable.index()]);
      if (total < 0 || total > MAX_TOTAL) {
        throw ProgramException.unreadable(
            place(variable), "together with those before it, its size does not fit 64 bits");
      }
    }
  }

  private void checkFeedShapes() {
    options
        .feedShapes()
        .forEach(
            (name, shape) -> {
              int variable = program.declared(0, name);
              if (variable == Program.NO_VARIABLE
                  || program.variable(variable).kind() != Variable.Kind.TENSOR) {
                throw ProgramException.of(
                    Diagnostic.Kind.USAGE,
                    Place.nowhere(),
                    "--shape names '" + name + "', which is not a feed of the program");
              }
            });
  }

  private ImmutableLongArray bind(ImmutableLongArray dims) {
    if (dims.isEmpty() || dims.get(0) != -1) {
      return dims;
    }
    ImmutableLongArray.Builder bound = ImmutableLongArray.builder(dims.length());
    bound.add(batch);
    bound.addAll(dims.subArray(1, dims.length()));
    return bound.build();
  }

  private void measure(Variable variable, DataType dataType, ImmutableLongArray dims) {
    for (int i = 0; i < dims.length(); i++) {
      if (dims.get(i) < -1) {
        throw ProgramException.unreadable(
            place(variable), "extent " + i + " is " + dims.get(i) + "; -1 stands for unknown");
      }
    }
    if (dims.contains(0)) {
      set(variable, 0, Sizes.Extent.FIXED);
    } else if (dims.isEmpty()) {
      leaveUnknown(variable, "no shape is declared");
    } else if (dataType.bytes() == 0) {
      leaveUnknown(variable, "the element type has no fixed width");
    } else if (dims.subArray(1, dims.length()).contains(-1)) {
      leaveUnknown(variable, "extent " + firstInnerUnknown(dims) + " is unknown (-1)");
    } else if (dims.get(0) == -1 && lod.carries(variable.index())) {
      leaveUnknown(variable, "extent 0 is unknown (-1): it counts the rows of sequences");
    } else if (dims.get(0) == -1 && !hasBatch) {
      leaveUnknown(variable, "extent 0 is unknown (-1): no feed has a batch");
    } else {
      Sizes.Extent extent = dims.get(0) == -1 ? Sizes.Extent.PER_BATCH : Sizes.Extent.FIXED;
      set(variable, multiply(variable, dataType, bind(dims)), extent);
    }
  }

  private static int firstInnerUnknown(ImmutableLongArray dims) {
    int i = 1;
    while (dims.get(i) != -1) {
      i++;
    }
    return i;
  }

  private static long multiply(Variable variable, DataType dataType, ImmutableLongArray dims) {
    try {
      long product = dataType.bytes();
      for (int i = 0; i < dims.length(); i++) {
        product = Math.multiplyExact(product, dims.get(i));
      }
      return product;
    } catch (ArithmeticException e) {
      throw ProgramException.unreadable(
          place(variable), "the size of " + dataType + dims + " does not fit 64 bits");
    }
  }

  private void set(Variable variable, long size, Sizes.Extent extent) {
    bytes[variable.index()] = size;
    extents[variable.index()] = extent;
    reasons[variable.index()] = "";
  }

  private void leaveUnknown(Variable variable, String reason) {
    bytes[variable.index()] = -1;
    extents[variable.index()] = Sizes.Extent.UNKNOWN;
    reasons[variable.index()] = reason;
  }

  private static Place place(Variable variable) {
    return Place.variable(variable.block(), Names.display(variable.name()));
  }
}
