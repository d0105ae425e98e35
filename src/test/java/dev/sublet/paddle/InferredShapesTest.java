package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.paddle.oracle.ShapeRuleCheck;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.ObservedTensor;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inferred shapes against those of a real run: equal, or within the bound, at every execution of
 * every operator.
 */
final class InferredShapesTest {

  /** The tensors of the made programs, by program; one process runs them all. */
  private static final Supplier<
          ImmutableMap<String, ImmutableListMultimap<Definition, ObservedTensor>>>
      MADE = Suppliers.memoize(() -> ObservedShapes.everyExecution(made()));

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  static List<Model> made() {
    return MadePrograms.all();
  }

  @ParameterizedTest
  @MethodSource("made")
  void madeProgram_isAsInferred(Model model) {
    check(model, requireNonNull(requireNonNull(MADE.get()).get(model.name())));
  }

  static List<String> corpus() {
    return CorpusModels.names();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("corpus")
  void realProgram_isObservedAtEveryOperator_asInferred(String name) {
    Model model = CorpusModels.read(name);
    ImmutableListMultimap<Definition, ObservedTensor> observed =
        ObservedShapes.everyExecution(model);
    assertEveryOperatorIsObserved(model.program(), observed);
    check(model, observed);
  }

  /** Each operator of the entry block runs exactly once, so each has something to show. */
  private static void assertEveryOperatorIsObserved(
      Program program, ImmutableListMultimap<Definition, ObservedTensor> all) {
    Set<Integer> observed = new HashSet<>();
    for (Definition definition : all.keySet()) {
      if (definition.block() == 0) {
        observed.add(definition.op());
        assertWithMessage("%s", definition).that(all.get(definition)).hasSize(1);
      }
    }
    for (Operation operation : program.block(0).operations()) {
      if (writesTensor(program, operation)) {
        assertWithMessage("%s", operation).that(observed).contains(operation.index());
      }
    }
  }

  private static boolean writesTensor(Program program, Operation operation) {
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE
          && program.variable(variable).kind() == Variable.Kind.TENSOR) {
        return true;
      }
    }
    return false;
  }

  private static void check(
      Model model, ImmutableListMultimap<Definition, ObservedTensor> observed) {
    Program program = model.program();
    OperatorCatalog catalog = OperatorCatalog.standard();
    Sizes sizes =
        ShapeInference.infer(
            program, catalog, LodCarriers.find(program, catalog), model.feeds().shapeOptions());
    List<String> differences = new ArrayList<>();
    observed.forEach(
        (definition, tensor) -> {
          Operation operation = program.block(definition.block()).operations().get(definition.op());
          int output = operation.firstOutput(definition.slot()) + definition.argument();
          AbstractShape inferred = sizes.written(operation, output);
          String difference = ShapeRuleCheck.difference(inferred, tensor.dims());
          // An output that nobody writes may have any shape.
          if (!difference.isEmpty() && tensor.hasMemory()) {
            differences.add(operation + " " + definition.slot() + ": " + difference);
          }
        });
    assertWithMessage(model.name()).that(differences.stream().distinct().toList()).isEmpty();
  }
}
