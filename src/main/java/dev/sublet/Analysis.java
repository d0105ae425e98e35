package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.base.CharMatcher;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.ControlKind;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.OperatorSpec;
import dev.sublet.program.Block;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.Contradiction;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.Places;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Everything that is known about a program before anything is decided.
 *
 * @param program the program
 * @param sizes the bytes of its variables
 * @param lod which of them may carry sequence information
 * @param places which memory each lives in
 * @param liveness when each is live
 * @param catalog the operators, with the in-place pairs on that may be taken
 */
public record Analysis(
    Program program,
    Sizes sizes,
    LodCarriers lod,
    Places places,
    Liveness liveness,
    OperatorCatalog catalog) {

  /** So many declarations that contradict their operators are listed one by one. */
  private static final int MOST_CONTRADICTIONS = 10;

  public Analysis {
    requireNonNull(program, "program");
    requireNonNull(sizes, "sizes");
    requireNonNull(lod, "lod");
    requireNonNull(places, "places");
    requireNonNull(liveness, "liveness");
    requireNonNull(catalog, "catalog");
  }

  /**
   * Analyzes a program. Near-linear in its arguments.
   *
   * @throws ProgramException if the options do not fit the program, a size does not fit 64 bits, or
   *     the options are strict and the catalog does not know an operator
   */
  public static Analysis of(Program program, TranspileOptions options, DiagnosticLog log) {
    return of(program, options, graph -> Liveness.analyze(graph, options.observation(), log), log);
  }

  /** The same for one who knows more about what is needed of the program's variables. */
  static Analysis of(
      Program program,
      TranspileOptions options,
      Function<ControlFlowGraph, Liveness> analyze,
      DiagnosticLog log) {
    OperatorCatalog catalog = options.catalog();
    reportUnknownOperators(program, catalog, options.strict(), log);
    LodCarriers lod = LodCarriers.find(program, catalog);
    Sizes sizes = ShapeInference.infer(program, catalog, lod, options.shapes());
    if (options.strict()) {
      demandShapeRules(program, catalog, sizes);
    }
    reportContradictions(sizes, log);
    ControlFlowGraph graph = ControlFlowGraph.build(program, catalog, sizes::mayBeEmpty);
    Liveness liveness = analyze.apply(graph);
    checkFeeds(liveness, options);
    if (options.shapes().batch() != 1 && !hasOpenBatch(liveness, lod, options.shapes())) {
      log.note(
          Place.nowhere(),
          "a batch of "
              + options.shapes().batch()
              + " changes nothing: of no feed the first extent is open");
    }
    return new Analysis(
        program, sizes, lod, Places.find(program, catalog, options.target()), liveness, catalog);
  }

  /** Shapes can be given for feeds only: what operators compute has the shape that they give it. */
  private static void checkFeeds(Liveness liveness, TranspileOptions options) {
    options.shapes().feedShapes().keySet().forEach(name -> checkFeed("--shape", name, liveness));
    options.shapes().lod().keySet().forEach(name -> checkFeed("--lod", name, liveness));
  }

  private static void checkFeed(String option, String name, Liveness liveness) {
    int variable = liveness.graph().program().declared(0, name);
    // What is no variable is the name of an extent, or inference would have refused it.
    if (variable != Program.NO_VARIABLE && !liveness.observation().isFeed(variable)) {
      throw ProgramException.usage(
          option + " names '" + Names.display(name) + "', which is not a feed of the program");
    }
  }

  /** Whether a batch is the first extent of any feed. */
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

  /** Under {@code --strict} an operator without a shape rule whose outputs need one is an error. */
  private static void demandShapeRules(Program program, OperatorCatalog catalog, Sizes sizes) {
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
      log.warn(each.operation().place().at(Names.display(each.variable().name())), each.message());
    }
    if (all.size() > MOST_CONTRADICTIONS) {
      log.warn(
          Place.nowhere(),
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
            operation.place().at(Names.display(program.variable(output).name())),
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
              operation.place(),
              "ONNX has an operator of this name, but with other slots; give a custom operator of"
                  + " Paddle another name");
        }
        if (!spec.known() && reported.add(operation.type())) {
          if (strict) {
            throw ProgramException.of(
                Diagnostic.Kind.UNSUPPORTED,
                operation.place(),
                "the catalog does not know this operator (--strict)");
          }
          log.note(
              operation.place(),
              "the catalog does not know this operator: it is taken to read all its inputs and"
                  + " perhaps write its outputs");
        }
      }
    }
  }

  /**
   * Translations of ONNX models call slots by their positions, and those of loops as Paddle does.
   */
  private static boolean hasSlotsOfOnnx(Operation operation) {
    return operation.type().startsWith("onnx.")
        || (operation.inputSlots().stream().allMatch(Analysis::isPosition)
            && operation.outputSlots().stream().allMatch(Analysis::isPosition));
  }

  private static boolean isPosition(Slot slot) {
    return slot.name().equals("captured")
        || CharMatcher.inRange('0', '9').matchesAllOf(slot.name());
  }
}
