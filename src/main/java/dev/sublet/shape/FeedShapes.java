package dev.sublet.shape;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ExtentExpressions;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The initial shapes of a program: the given or declared shapes of feeds, and the shapes of
 * persistables.
 *
 * <p>A leading extent of -1 in the declaration of a feed is the batch. If the feed carries
 * sequences, it is the number of their rows instead. The user must give a value for every other -1.
 */
final class FeedShapes {

  private final Program program;
  private final LodCarriers lod;
  private final ShapeOptions options;
  private final ExtentExpressions formulas;
  private final boolean hasBatch;
  private final long batch;

  /** The given shapes, by feed. */
  private final ImmutableMap<String, ImmutableLongArray> given;

  /** The values of named extents, as far as the given shapes bind them. */
  private final Map<String, Long> namedExtents = new HashMap<>();

  FeedShapes(Program program, LodCarriers lod, ShapeOptions options, ExtentExpressions formulas) {
    this.program = program;
    this.lod = lod;
    this.options = options;
    this.formulas = formulas;
    this.given = splitGiven(options.feedShapes());
    options.lod().keySet().forEach(this::checkHasSequences);
    options.values().keySet().forEach(this::checkIsFeed);
    given.forEach(this::checkBindingShape);
    BitSet feeds = declaredFeeds();
    this.hasBatch = feeds.isEmpty() || feeds.stream().anyMatch(this::hasOpenBatch);
    this.batch = batchOfFeeds();
    given.forEach(this::bindNames);
  }

  /** Returns the given shapes of feeds, and binds the named extents among the given names. */
  private ImmutableMap<String, ImmutableLongArray> splitGiven(
      ImmutableMap<String, ImmutableLongArray> shapes) {
    ImmutableMap.Builder<String, ImmutableLongArray> feeds = ImmutableMap.builder();
    shapes.forEach(
        (name, shape) -> {
          checkRank(name, shape);
          if (shape.length() == 1
              && program.declared(0, name) == Program.NO_VARIABLE
              && extentNames().contains(name)) {
            namedExtents.put(name, shape.get(0));
          } else {
            checkIsTensor("--shape", name);
            feeds.put(name, shape);
          }
        });
    return feeds.buildOrThrow();
  }

  /**
   * The option that states the unknown sequences of feeds, as the end of a reason; empty if all are
   * known.
   */
  String offsetsHint() {
    List<String> words = new ArrayList<>();
    BitSet feeds = declaredFeeds();
    for (int feed = feeds.nextSetBit(0); feed >= 0; feed = feeds.nextSetBit(feed + 1)) {
      String name = program.variable(feed).name();
      if (lod.carries(feed) && !options.lod().containsKey(name)) {
        words.add("--lod " + Names.display(name) + "=0,…");
      }
    }
    return words.isEmpty() ? "" : ": say " + Joiner.on(' ').join(words);
  }

  private static void checkRank(String name, ImmutableLongArray shape) {
    if (shape.length() > TensorType.MAX_RANK) {
      throw ProgramException.usage(
          "--shape gives '"
              + Names.display(name)
              + "' "
              + shape.length()
              + " extents, but a tensor has at most "
              + TensorType.MAX_RANK);
    }
  }

  /** Rejects a given shape that contradicts a binding declaration, as every runtime would. */
  private void checkBindingShape(String feed, ImmutableLongArray shape) {
    int variable = program.declared(0, feed);
    if (!program.variable(variable).hasBindingShape()) {
      return;
    }
    ImmutableLongArray declared = declaredDims(variable);
    String gives = "--shape gives '" + Names.display(feed) + "' ";
    if (shape.length() != declared.length()) {
      throw ProgramException.usage(
          gives + shape.length() + " extents, but the model declares " + declared.length());
    }
    for (int axis = 0; axis < shape.length(); axis++) {
      if (declared.get(axis) != -1 && declared.get(axis) != shape.get(axis)) {
        throw ProgramException.usage(
            gives
                + shape.get(axis)
                + " as extent "
                + axis
                + ", but the model fixes it at "
                + declared.get(axis)
                + "; runtimes refuse others");
      }
    }
  }

  private void bindNames(String feed, ImmutableLongArray shape) {
    int variable = program.declared(0, feed);
    for (int axis = 0; axis < shape.length(); axis++) {
      String name = program.variable(variable).extentName(axis);
      Long bound = name.isEmpty() ? null : namedExtents.putIfAbsent(name, shape.get(axis));
      if (bound != null && bound != shape.get(axis)) {
        throw ProgramException.usage(
            "--shape gives extent '"
                + name
                + "' two values: "
                + bound
                + ", and "
                + shape.get(axis)
                + " as extent "
                + axis
                + " of '"
                + Names.display(feed)
                + "'");
      }
    }
  }

  private void checkIsTensor(String option, String name) {
    int variable = program.declared(0, name);
    if (variable == Program.NO_VARIABLE
        || program.variable(variable).kind() != Variable.Kind.TENSOR) {
      throw ProgramException.of(
          Diagnostic.Kind.USAGE,
          Location.nowhere(),
          option
              + " names '"
              + Names.display(name)
              + "', which is not a feed of the program"
              + NameHint.of(
                  Names.display(name),
                  option.equals("--shape") && !extentNames().isEmpty()
                      ? "feeds and extents"
                      : "feeds",
                  namesToGive(option)));
    }
  }

  /** Rejects a value for a variable that is no feed, such as a parameter. */
  private void checkIsFeed(String name) {
    checkIsTensor("--value", name);
    int variable = program.declared(0, name);
    if (feeds().stream().noneMatch(feed -> feed.index() == variable)) {
      throw ProgramException.usage(
          "--value gives '" + Names.display(name) + "' a value, but it is no feed");
    }
  }

  /** The names of feeds, and the extents that a given shape may name, for an error message. */
  private ImmutableList<String> namesToGive(String option) {
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (Variable feed : feeds()) {
      names.add(Names.display(feed.name()));
    }
    return option.equals("--shape") ? names.addAll(extentNames()).build() : names.build();
  }

  /**
   * The variables that the program itself declares as feeds; if there are none, the tensors of the
   * entry block that no operator of it writes.
   */
  ImmutableList<Variable> feeds() {
    BitSet declared = declaredFeeds();
    BitSet written = new BitSet();
    for (Operation operation : program.block(0).operations()) {
      for (int i = 0; i < operation.outputCount(); i++) {
        if (operation.output(i) != Program.NO_VARIABLE) {
          written.set(operation.output(i));
        }
      }
    }
    ImmutableList.Builder<Variable> feeds = ImmutableList.builder();
    for (Variable variable : program.block(0).variables()) {
      boolean isFeed =
          declared.isEmpty()
              ? variable.kind() == Variable.Kind.TENSOR
                  && !variable.isPersistable()
                  && !written.get(variable.index())
              : declared.get(variable.index());
      if (isFeed) {
        feeds.add(variable);
      }
    }
    return feeds.build();
  }

  private ImmutableSet<String> extentNames() {
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    for (Variable variable : program.variables()) {
      int rank = variable.tensorType().map(type -> type.dims().length()).orElse(0);
      for (int axis = 0; variable.hasBindingShape() && axis < rank; axis++) {
        if (!variable.extentName(axis).isEmpty()) {
          names.add(variable.extentName(axis));
        }
      }
    }
    return names.build();
  }

  /** Rejects sequences for a feed that does not carry LoD, and levels that do not fit together. */
  private void checkHasSequences(String feed) {
    checkIsTensor("--lod", feed);
    if (!lod.carries(program.declared(0, feed))) {
      throw ProgramException.usage(
          "--lod gives '" + Names.display(feed) + "' sequences, but it is declared to have none");
    }
    checkLevels(feed, options.lod().get(feed));
  }

  /**
   * Checks the levels of a feed: each level counts the sequences of the next level. The finest
   * level counts rows, which are not checked here.
   */
  private static void checkLevels(String feed, @Nullable ImmutableList<ImmutableLongArray> levels) {
    for (int i = 0; levels != null && i + 1 < levels.size(); i++) {
      long end = levels.get(i).get(levels.get(i).length() - 1);
      long sequences = levels.get(i + 1).length() - 1L;
      if (end != sequences) {
        throw ProgramException.usage(
            "--lod of '"
                + Names.display(feed)
                + "': level "
                + i
                + " ends at "
                + end
                + ", but level "
                + (i + 1)
                + " has "
                + sequences
                + " sequences");
      }
    }
  }

  /** The variables that the program itself declares as feeds. */
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

  /** Whether a tensor has a value before any operator writes it: from another run, or as a feed. */
  boolean hasValueAtStart(int index) {
    Variable variable = program.variable(index);
    return variable.kind() == Variable.Kind.TENSOR
        && (variable.isPersistable() || variable.needsFeedCheck());
  }

  private boolean hasOpenBatch(int variable) {
    Optional<TensorType> type = program.variable(variable).tensorType();
    return type.isPresent()
        && !type.get().dims().isEmpty()
        && type.get().dims().get(0) == -1
        && !lod.carries(variable);
  }

  /** The batch of the given feed shapes if they bind one, else the batch of the options. */
  private long batchOfFeeds() {
    long bound = options.batch();
    String boundBy = bound == 1 ? "" : "--batch " + bound;
    for (Map.Entry<String, ImmutableLongArray> given : given.entrySet()) {
      int variable = program.declared(0, given.getKey());
      if (!hasOpenBatch(variable) || given.getValue().isEmpty() || hasName(variable, 0)) {
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

  /** The value of leading open extents. */
  long batch() {
    return batch;
  }

  /** Whether the user has given no batch, shapes or sequences. */
  boolean areDefault() {
    return options.isDefault();
  }

  /** Whether every given shape agrees with the declared extents that are not open. */
  boolean agreeWithDeclarations() {
    for (Map.Entry<String, ImmutableLongArray> given : given.entrySet()) {
      ImmutableLongArray declared = declaredDims(program.declared(0, given.getKey()));
      boolean agrees = declared.length() == given.getValue().length();
      for (int i = 0; agrees && i < declared.length(); i++) {
        agrees = declared.get(i) == -1 || declared.get(i) == given.getValue().get(i);
      }
      if (!agrees) {
        return false;
      }
    }
    return true;
  }

  /** Says which given shape has another number of extents than the program declares, if one has. */
  Optional<String> rankMistake() {
    for (Map.Entry<String, ImmutableLongArray> entry : given.entrySet()) {
      int variable = program.declared(0, entry.getKey());
      int declared = declaredDims(variable).length();
      if (declared > 0 && declared != entry.getValue().length()) {
        return Optional.of(
            "--shape gives '"
                + Names.display(entry.getKey())
                + "' "
                + entry.getValue().length()
                + " extents, but the program declares "
                + declared);
      }
    }
    return Optional.empty();
  }

  private ImmutableLongArray declaredDims(int variable) {
    return program.variable(variable).tensorType().map(TensorType::dims).orElseThrow();
  }

  /** The abstract shape of a tensor that has its value before any operator writes it. */
  AbstractShape start(int variable) {
    Variable declaration = program.variable(variable);
    if (declaration.tensorType().isEmpty()) {
      return AbstractShape.unknown("not a dense tensor");
    }
    ImmutableLongArray declared = declaredDims(variable);
    String name = declaration.name();
    boolean feed = declaration.block() == 0 && !declaration.isPersistable();
    @Nullable ImmutableLongArray shape = feed ? given.get(name) : null;
    @Nullable ImmutableList<ImmutableLongArray> offsets = feed ? options.lod().get(name) : null;
    if (shape == null && declared.isEmpty() && !declaration.isScalar()) {
      return AbstractShape.unknown("no shape is declared");
    }
    ImmutableList.Builder<SymbolicExtent> dims = ImmutableList.builder();
    int rank = shape == null ? declared.length() : shape.length();
    if (rank == 0 && offsets != null) {
      throw ProgramException.usage(
          "--lod gives '" + Names.display(name) + "' sequences, but it has no rows");
    }
    for (int i = 0; i < rank; i++) {
      long extent = i < declared.length() ? declared.get(i) : -1;
      dims.add(
          shape != null
              ? givenExtent(variable, i, extent, shape.get(i), offsets)
              : startExtent(variable, i, extent, feed, offsets));
    }
    AbstractShape tensor = withElements(AbstractShape.of(dims.build()), declaration);
    ImmutableLongArray value = options.values().get(name);
    if (feed && value != null) {
      tensor = GivenElements.of(tensor, declaration, value, formulas);
    }
    return lod.carries(variable) ? tensor.withLod(offsets) : tensor;
  }

  private static AbstractShape withElements(AbstractShape tensor, Variable declaration) {
    return declaration
        .elements()
        .map(numbers -> tensor.withElements(Lists.transform(numbers.asList(), SymbolicExtent::of)))
        .orElse(tensor);
  }

  private SymbolicExtent givenExtent(
      int variable,
      int axis,
      long declared,
      long extent,
      @Nullable ImmutableList<ImmutableLongArray> offsets) {
    if (axis == 0 && offsets != null && rows(offsets) != extent) {
      throw ProgramException.usage(
          "--shape gives '"
              + Names.display(program.variable(variable).name())
              + "' "
              + extent
              + " rows, but --lod "
              + rows(offsets));
    }
    if (declared == extent) {
      return SymbolicExtent.of(extent);
    }
    return axis == 0 && hasOpenBatch(variable) && !hasName(variable, axis)
        ? SymbolicExtent.symbol(formulas, "batch", batch)
        : SymbolicExtent.symbol(formulas, symbol(variable, axis), extent);
  }

  private static long rows(ImmutableList<ImmutableLongArray> offsets) {
    ImmutableLongArray finest = offsets.get(offsets.size() - 1);
    return finest.get(finest.length() - 1);
  }

  private SymbolicExtent startExtent(
      int variable,
      int axis,
      long extent,
      boolean feed,
      @Nullable ImmutableList<ImmutableLongArray> offsets) {
    if (extent >= 0) {
      return SymbolicExtent.of(extent);
    }
    Long bound = namedExtents.get(program.variable(variable).extentName(axis));
    if (bound != null) {
      return SymbolicExtent.symbol(formulas, symbol(variable, axis), bound);
    }
    String name = Names.display(program.variable(variable).name());
    if (axis == 0 && feed && lod.carries(variable)) {
      return offsets == null
          ? open(variable, axis, "it counts the rows of sequences: say --lod " + name + "=0,…")
          : SymbolicExtent.symbol(formulas, symbol(variable, axis), rows(offsets));
    }
    if (axis == 0 && feed) {
      return hasBatch
          ? SymbolicExtent.symbol(
              formulas, hasName(variable, 0) ? symbol(variable, 0) : "batch", batch)
          : open(variable, axis, "no feed has a batch");
    }
    String extentName = program.variable(variable).extentName(axis);
    String other = extentName.isEmpty() ? "" : ", or --shape " + extentName + "=…";
    return open(variable, axis, feed ? "say --shape " + name + "=" + dims(variable) + other : "");
  }

  /** The extents of a feed, for the user to complete: a question mark for each unknown one. */
  private String dims(int variable) {
    List<String> dims = new ArrayList<>();
    for (long dim : program.variable(variable).tensorType().orElseThrow().dims().asList()) {
      boolean isBatch = dims.isEmpty() && hasBatch;
      dims.add(dim >= 0 ? Long.toString(dim) : isBatch ? Long.toString(batch) : "?");
    }
    return String.join(",", dims);
  }

  private SymbolicExtent open(int variable, int axis, String remedy) {
    String cause =
        "extent "
            + axis
            + " of '"
            + Names.display(program.variable(variable).name())
            + "' is unknown (-1)"
            + (remedy.isEmpty() ? "" : ": " + remedy);
    return SymbolicExtent.unknown(formulas, symbol(variable, axis), cause);
  }

  /** The value of a declared extent that is fixed, or whose name is bound; else null. */
  @Nullable SymbolicExtent declaredExtent(int variable, int axis, long declared) {
    if (declared >= 0) {
      return SymbolicExtent.of(declared);
    }
    Long bound =
        namedExtents.isEmpty()
            ? null
            : namedExtents.get(program.variable(variable).extentName(axis));
    return bound == null ? null : SymbolicExtent.symbol(formulas, symbol(variable, axis), bound);
  }

  private boolean hasName(int variable, int axis) {
    return !program.variable(variable).extentName(axis).isEmpty();
  }

  /** The symbol of an open extent in formulas. Extents with the same name have the same symbol. */
  private String symbol(int variable, int axis) {
    return hasName(variable, axis)
        ? "extent " + program.variable(variable).extentName(axis)
        : "feed " + variable + "#" + axis;
  }
}
