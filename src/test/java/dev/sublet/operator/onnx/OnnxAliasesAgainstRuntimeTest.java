package dev.sublet.operator.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.View;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.onnx.OnnxCase;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.util.Arrays;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * That ONNX's operators copy the bytes that views say, and compute each element of an in-place
 * output from the element at the same place: ONNX Runtime computes the lines of {@code
 * testdata/onnx_operators/cases.txt}, for pairs once more with an element of the input changed.
 */
final class OnnxAliasesAgainstRuntimeTest {

  /**
   * Operators whose elements depend on a group of elements, or on chance. They have a pair because
   * a group can be read before the first of it is written.
   */
  private static final ImmutableSet<String> IN_GROUPS =
      ImmutableSet.of(
          "BatchNormalization",
          "Bernoulli",
          "CumSum",
          "GroupNormalization",
          "Hardmax",
          "InstanceNormalization",
          "LayerNormalization",
          "LogSoftmax",
          "LpNormalization",
          "MeanVarianceNormalization",
          "SimplifiedLayerNormalization",
          "Softmax",
          "ai.onnx.ml.Normalizer",
          "com.microsoft.NGramRepeatBlock",
          "com.microsoft.QLinearSoftmax",
          "com.microsoft.SkipLayerNormalization",
          "com.microsoft.SkipSimplifiedLayerNormalization");

  private static final int CHANGED = 3;

  static ImmutableList<OnnxCase> cases() throws IOException {
    return OnnxOperatorsAgainstRuntimeTest.cases();
  }

  private record Inferred(Sizes sizes, Operation operation) {}

  private static Inferred infer(OnnxCase one) {
    ModelProto model = one.fed(/* open= */ false, /* all= */ false);
    Program program = OnnxModel.of(model).program();
    OperatorCatalog catalog = OperatorCatalog.standard();
    ShapeOptions options = ShapeOptions.defaults();
    Sizes sizes =
        ShapeInference.infer(program, catalog, LodCarriers.find(program, catalog), options);
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals(one.type())) {
        return new Inferred(sizes, operation);
      }
    }
    throw new AssertionError("there is no " + one.type());
  }

  /** The slot that an argument is in; every slot has one argument. */
  private static int slot(Operation operation, int argument, boolean isInput) {
    return Integer.parseInt(
        (isInput ? operation.inputSlots() : operation.outputSlots()).get(argument).name());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void views_haveTheSameBytes(OnnxCase one) throws OrtException {
    Inferred inferred = infer(one);
    if (inferred.sizes().views(inferred.operation()).isEmpty()) {
      return;
    }
    ImmutableList<byte[]> outputs = RuntimeTensor.bytes(one.constant());
    for (View view : inferred.sizes().views(inferred.operation())) {
      byte[] input = one.bytes(slot(inferred.operation(), view.input(), true));
      byte[] output = outputs.get(slot(inferred.operation(), view.output(), false));
      int from = (int) view.startInInput();
      int to = (int) (view.startInInput() - view.offset());
      int bytes = (int) view.bytes();
      assertWithMessage("%s", view)
          .that(Arrays.copyOfRange(output, to, to + bytes))
          .isEqualTo(Arrays.copyOfRange(input, from, from + bytes));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void inPlaceOutput_changesOnlyWhereTheInputDoes(OnnxCase one) throws OrtException {
    Inferred inferred = infer(one);
    OperatorCatalog catalog = OperatorCatalog.standard();
    if (IN_GROUPS.contains(one.type())) {
      return;
    }
    for (InPlacePair pair : catalog.inPlacePairs(catalog.lookup(one.type()), 0)) {
      if (inferred.sizes().areSame(inferred.operation(), pair)) {
        checkPair(one, Integer.parseInt(pair.input()), Integer.parseInt(pair.output()));
      }
    }
  }

  private static void checkPair(OnnxCase one, int input, int output) throws OrtException {
    byte[] before = RuntimeTensor.bytes(one.constant()).get(output);
    int count = one.elementCount(input);
    int width = count == 0 ? 0 : before.length / count;
    for (int i = 0; i < Math.min(CHANGED, count); i++) {
      int changed = i * (count - 1) / Math.max(1, CHANGED - 1);
      byte[] after = RuntimeTensor.bytes(one.changed(input, changed).constant()).get(output);
      for (int place = 0; place < before.length; place++) {
        if (place / width != changed) {
          assertWithMessage("byte %s after a change of element %s", place, changed)
              .that(after[place])
              .isEqualTo(before[place]);
        }
      }
    }
  }

  /** The cases cover the operators that have views or pairs, as far as the runtime has them. */
  @Test
  void casesHaveViewsAndPairs() throws IOException {
    TreeSet<String> withViews = new TreeSet<>();
    TreeSet<String> withPairs = new TreeSet<>();
    OperatorCatalog catalog = OperatorCatalog.standard();
    for (OnnxCase one : cases()) {
      Inferred inferred = infer(one);
      if (!inferred.sizes().views(inferred.operation()).isEmpty()) {
        withViews.add(one.type());
      }
      for (InPlacePair pair : catalog.inPlacePairs(catalog.lookup(one.type()), 0)) {
        if (inferred.sizes().areSame(inferred.operation(), pair)) {
          withPairs.add(one.type());
        }
      }
    }
    assertThat(withViews)
        .containsExactly(
            "Cast",
            "Concat",
            "Dropout",
            "Flatten",
            "Identity",
            "Reshape",
            "Slice",
            "Split",
            "Squeeze",
            "Unsqueeze");
    assertThat(withPairs.size()).isAtLeast(80);
    assertThat(withPairs).containsAtLeastElementsIn(IN_GROUPS);
  }
}
