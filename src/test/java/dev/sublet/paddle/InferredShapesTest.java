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
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.List;
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
  void realProgram_isAsInferred(String name) {
    Model model = CorpusModels.read(name);
    check(model, ObservedShapes.everyExecution(model));
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
