package dev.sublet.analysis;

import com.google.common.base.CharMatcher;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.concurrent.SideTask;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Block;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.Contradiction;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.OpenExtents;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The facts about a program that every stage starts from. Immutable.
 *
 * <pre>{@code
 * ProgramFacts facts = ProgramFacts.of(program, options.analysis(), log);
 * long bytes = facts.sizes().bytes(variable);
 * boolean isLive = facts.liveness().ranges().webAt(variable, point) >= 0;
 * }</pre>
 */
public final class ProgramFacts {

  /** The maximum number of declarations that contradict their operators to list one by one. */
  private static final int MOST_CONTRADICTIONS = 10;

  private final Program program;
  private final AnalysisOptions options;
  private final Sizes sizes;
  private final LodCarriers lod;
  private final MemorySpaces places;
  private final Liveness liveness;
  private final Supplier<ProgramFacts> forBytes;
  private final Supplier<ProgramFacts> forOffsets;

  private ProgramFacts(
      AnalysisOptions options,
      Sizes sizes,
      LodCarriers lod,
      MemorySpaces places,
      Liveness liveness) {
    this.program = liveness.graph().program();
    this.options = options;
    this.sizes = sizes;
    this.lod = lod;
    this.places = places;
    this.liveness = liveness;
    this.forBytes = Suppliers.memoize(() -> with(liveness.forBytes(sizes::isKnown)));
    this.forOffsets =
        Suppliers.memoize(
            () ->
                liveness.hasSuccessiveBranches()
                    ? with(liveness.forOffsets(sizes::isKnown))
                    : forBytes());
  }

  private ProgramFacts with(Liveness other) {
    return new ProgramFacts(options, sizes, lod, places, other);
  }

  /**
   * Analyzes a program. Near-linear in its arguments.
   *
   * @param program the program
   * @param options the assumptions
   * @param log gets the warnings and notes
   * @return the facts
   * @throws ProgramException if the options do not fit the program, a size does not fit 64 bits, or
   *     the options are strict and the catalog does not know an operator
   */
  public static ProgramFacts of(Program program, AnalysisOptions options, DiagnosticLog log) {
    reportUnknownOperators(program, options.catalog(), options.strict(), log);
    LodCarriers lod = LodCarriers.find(program, options.catalog());
    SideTask<Sizes> sizes =
        SideTask.start(
            () -> ShapeInference.infer(program, options.catalog(), lod, options.shapes()));
    DiagnosticLog ofLiveness = new DiagnosticLog();
    SideTask<Liveness> liveness =
        SideTask.start(
            () -> liveness(program, each -> sizes.join().mayBeEmpty(each), options, ofLiveness));
    checkSizes(program, sizes.join(), lod, options, log);
    Liveness found = liveness.join();
    log.addAll(ofLiveness);
    return of(found, sizes.join(), lod, options, log);
  }

  /**
   * Returns the facts about a program that differs from this one only in the names and declarations
   * of its variables and in debug attributes. Reports nothing. Near-linear in its arguments.
   *
   * @throws ProgramException if an operator does not accept the shapes of its inputs, because the
   *     declaration that several variables share does not fit them all
   */
  public ProgramFacts renamed(Program renamed) {
    LodCarriers carriers = LodCarriers.find(renamed, options.catalog());
    return renamed(
        renamed,
        carriers,
        () -> ShapeInference.infer(renamed, options.catalog(), carriers, options.shapes()));
  }

  /**
   * Does the same, but if an operator does not accept its inputs, takes its outputs as declared or
   * unknown.
   */
  public ProgramFacts renamedLeniently(Program renamed) {
    LodCarriers carriers = LodCarriers.find(renamed, options.catalog());
    return renamed(
        renamed,
        carriers,
        () ->
            ShapeInference.inferLeniently(renamed, options.catalog(), carriers, options.shapes()));
  }

  private ProgramFacts renamed(Program renamed, LodCarriers carriers, Supplier<Sizes> inference) {
    SideTask<Sizes> inferred = SideTask.start(inference);
    DiagnosticLog unheard = new DiagnosticLog();
    Liveness found = liveness(renamed, each -> inferred.join().mayBeEmpty(each), options, unheard);
    return ofDerived(found, inferred.join(), carriers, options);
  }

  /**
   * Finds the live ranges. The graph asks {@code mayBeEmpty} for few operators; without them,
   * liveness does not wait for the sizes.
   */
  private static Liveness liveness(
      Program program,
      Predicate<Operation> mayBeEmpty,
      AnalysisOptions options,
      DiagnosticLog log) {
    ControlFlowGraph graph = ControlFlowGraph.build(program, options.catalog(), mayBeEmpty);
    return Liveness.analyze(graph, options.observation(), log);
  }

  /**
   * Returns the facts about a program that Sublet itself has derived from an analyzed one. Checks
   * and reports nothing. O(program).
   *
   * @param liveness the live ranges of the program's variables, with its control-flow graph
   * @param sizes the bytes of its variables
   * @param lod its variables that may carry LoD
   * @param options the assumptions that the caller has used
   * @return the facts
   */
  public static ProgramFacts ofDerived(
      Liveness liveness, Sizes sizes, LodCarriers lod, AnalysisOptions options) {
    Program program = liveness.graph().program();
    MemorySpaces places = MemorySpaces.find(program, options.catalog(), options.target());
    return new ProgramFacts(options, sizes, lod, places, liveness);
  }

  private static void checkSizes(
      Program program, Sizes sizes, LodCarriers lod, AnalysisOptions options, DiagnosticLog log) {
    if (options.strict()) {
      demandShapeRules(program, lod, options, sizes);
    }
    reportContradictions(sizes, log);
  }

  private static ProgramFacts of(
      Liveness liveness, Sizes sizes, LodCarriers lod, AnalysisOptions options, DiagnosticLog log) {
    checkFeeds(liveness, options.shapes());
    if (options.shapes().batch() != 1 && !hasOpenBatch(liveness, lod, options.shapes())) {
      log.note(
          Location.nowhere(),
          "a batch of "
              + options.shapes().batch()
              + " changes nothing: of no feed the first extent is open");
    }
    return ofDerived(liveness, sizes, lod, options);
  }

  /**
   * Returns the same facts with the liveness of bytes: a read of a shape alone does not keep the
   * elements of the tensor alive. Computed once, near-linear.
   */
  public ProgramFacts forBytes() {
    return forBytes.get();
  }

  /**
   * Returns the same facts with the liveness of bytes where operators run one after the other: of
   * two exclusive branches in succession, the first one keeps no value that only the second one
   * needs, see {@link Liveness#forOffsets}. Computed once, near-linear.
   */
  public ProgramFacts forOffsets() {
    return forOffsets.get();
  }

  /** The program. */
  public Program program() {
    return program;
  }

  /** The operators, with the in-place pairs that may be taken. */
  public OperatorCatalog catalog() {
    return options.catalog();
  }

  /** The shapes of the feeds that the sizes were computed for. */
  public ShapeOptions shapes() {
    return options.shapes();
  }

  /** The bytes of the variables. */
  public Sizes sizes() {
    return sizes;
  }

  /** The variables that may carry sequence information (LoD). */
  public LodCarriers lod() {
    return lod;
  }

  /** The memory that each variable lives in. */
  public MemorySpaces places() {
    return places;
  }

  /** The live ranges of the variables, with their control-flow graph. */
  public Liveness liveness() {
    return liveness;
  }

  /** Finds the open extents of feeds to which the options give no number. O(variables). */
  public OpenExtents openExtents() {
    return OpenExtents.find(program, lod, options.shapes());
  }

  /**
   * Rejects shapes for variables that are not feeds: operators determine the shapes of all others.
   */
  private static void checkFeeds(Liveness liveness, ShapeOptions shapes) {
    shapes.feedShapes().keySet().forEach(name -> checkFeed("--shape", name, liveness));
    shapes.lod().keySet().forEach(name -> checkFeed("--lod", name, liveness));
  }

  private static void checkFeed(String option, String name, Liveness liveness) {
    int variable = liveness.graph().program().declared(0, name);
    // A name without a variable is the name of an extent; inference has rejected all other names.
    if (variable != Program.NO_VARIABLE && !liveness.observation().isFeed(variable)) {
      throw ProgramException.usage(
          option + " names '" + Names.display(name) + "', which is not a feed of the program");
    }
  }

  /** Whether the batch determines the first extent of any feed. */
  private static boolean hasOpenBatch(Liveness liveness, LodCarriers lod, ShapeOptions shapes) {
    Program program = liveness.graph().program();
    Set<String> bound = new TreeSet<>(shapes.feedShapes().keySet());
    for (Variable variable : program.block(0).variables()) {
      ImmutableLongArray given = shapes.feedShapes().get(variable.name());
      for (int axis = 0; given != null && axis < given.length(); axis++) {
        bound.add(variable.extentName(axis));
      }
    }
    for (Variable variable : program.block(0).variables()) {
      ImmutableLongArray dims =
          variable.tensorType().map(TensorType::dims).orElse(ImmutableLongArray.of());
      String name = variable.extentName(0);
      if (liveness.observation().isFeed(variable.index())
          && !dims.isEmpty()
          && dims.get(0) == -1
          && !lod.carries(variable.index())
          && (name.isEmpty() || !bound.contains(name))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Rejects open extents, and an operator without a shape rule if an output has no known size
   * ({@code --strict}).
   */
  private static void demandShapeRules(
      Program program, LodCarriers lod, AnalysisOptions options, Sizes sizes) {
    OperatorCatalog catalog = options.catalog();
    OpenExtents open = OpenExtents.find(program, lod, options.shapes());
    if (!open.isEmpty()) {
      throw ProgramException.of(
          Diagnostic.Kind.UNSUPPORTED,
          Location.nowhere(),
          "sizes are unknown (--strict): give "
              + open.names()
              + ", for example "
              + open.example(catalog));
    }
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        OperatorSpec spec = catalog.lookup(operation.type());
        if (spec.shapeRule() == null && spec.control() == ControlKind.NONE) {
          demandSizes(program, operation, sizes);
        }
      }
    }
  }

  private static void reportContradictions(Sizes sizes, DiagnosticLog log) {
    ImmutableList<Contradiction> all = sizes.contradictions();
    for (Contradiction each : all.subList(0, Math.min(all.size(), MOST_CONTRADICTIONS))) {
      log.warn(
          each.operation().location().at(Names.display(each.variable().name())), each.message());
    }
    if (all.size() > MOST_CONTRADICTIONS) {
      log.warn(
          Location.nowhere(),
          all.size() - MOST_CONTRADICTIONS + " more declarations contradict their operators");
    }
  }

  private static void demandSizes(Program program, Operation operation, Sizes sizes) {
    for (int i = 0; i < operation.outputCount(); i++) {
      int output = operation.output(i);
      if (output != Program.NO_VARIABLE
          && program.variable(output).kind() == Variable.Kind.TENSOR
          && !sizes.isKnown(output)) {
        throw ProgramException.of(
            Diagnostic.Kind.UNSUPPORTED,
            operation.location().at(Names.display(program.variable(output).name())),
            "no shape rule for op '" + operation.type() + "' (--strict)");
      }
    }
  }

  private static void reportUnknownOperators(
      Program program, OperatorCatalog catalog, boolean strict, DiagnosticLog log) {
    Set<String> reported = new TreeSet<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        OperatorSpec spec = catalog.lookup(operation.type());
        if (spec.known() && spec.isOnnx() && !hasSlotsOfOnnx(operation)) {
          throw ProgramException.of(
              Diagnostic.Kind.UNSUPPORTED,
              operation.location(),
              "ONNX has an operator of this name, but with other slots; give a custom operator of"
                  + " Paddle another name");
        }
        if (!spec.known() && reported.add(operation.type())) {
          if (strict) {
            throw ProgramException.of(
                Diagnostic.Kind.UNSUPPORTED,
                operation.location(),
                "the catalog does not know this operator (--strict)");
          }
          log.note(
              operation.location(),
              "the catalog does not know this operator: it is taken to read all its inputs and"
                  + " perhaps write its outputs");
        }
      }
    }
  }

  /**
   * Whether the slots are those of a translated ONNX model: named by position, except that loops
   * use the slot names of Paddle.
   */
  private static boolean hasSlotsOfOnnx(Operation operation) {
    return operation.type().startsWith("onnx.")
        || (operation.inputSlots().stream().allMatch(ProgramFacts::isPosition)
            && operation.outputSlots().stream().allMatch(ProgramFacts::isPosition));
  }

  private static boolean isPosition(Slot slot) {
    return slot.name().equals("captured")
        || CharMatcher.inRange('0', '9').matchesAllOf(slot.name());
  }
}
