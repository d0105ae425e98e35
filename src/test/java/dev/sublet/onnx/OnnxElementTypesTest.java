package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.testing.onnx.OnnxCase;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Element types of outputs: {@code type, inputs, attributes, outputs}. */
final class OnnxElementTypesTest {

  @ParameterizedTest
  @CsvSource({
    "Relu, 10, , 10",
    "Add, 0 11, , 11",
    "Equal, 7 7, , 9",
    "TopK, 16 7, , 16 7",
    "BatchNormalization, 10 1 1 11 11, , 10 11 11",
    "Split, 6, , 6 6 6",
    "Where, 9 0 7, , 7",
    "Cast, 1, to=7, 7",
    "Cast, 1, to=0, 0",
    "EyeLike, 6, , 6",
    "EyeLike, 6, dtype=1, 1",
    "ConstantOfShape, 7, , 1",
    "ConstantOfShape, 7, value=7, 7",
    "QuantizeLinear, 1 1 3, , 3",
    "QuantizeLinear, 1 1, , 2",
    "QuantizeLinear, 1 1, output_dtype=3, 3",
    "DequantizeLinear, 3 10, output_dtype=0, 10",
    "DynamicQuantizeLinear, 1, , 2 1 2",
    "QLinearConv, 2 1 2 3 1 3 1 2 6, , 2",
    "Dropout, 1 1, , 1 9",
    "LSTM, 1 1 1, , 1 1 1",
    "com.microsoft.QAttention, 2 3 1 1 1, , 1 1",
    "com.microsoft.SkipLayerNormalization, 10 10 10, , 10 1 1 10",
    "ai.onnx.ml.SVMClassifier, 1, classlabels_strings=0, 8 1",
    "ai.onnx.ml.SVMClassifier, 1, classlabels_ints=0, 7 1",
    "ai.onnx.preview.training.Adam, 1 7 1 1 1 1, , 1 1 1",
    "Softmax, 1, , 1 0",
    "com.example.Relu, 1, , 0",
  })
  void outputsHaveTypes(String type, String inputs, String attributes, String outputs) {
    ImmutableMap.Builder<String, Long> values = ImmutableMap.builder();
    if (attributes != null) {
      int equals = attributes.indexOf('=');
      values.put(attributes.substring(0, equals), Long.valueOf(attributes.substring(equals + 1)));
    }
    ImmutableMap<String, Long> given = values.buildOrThrow();
    int[] expected = numbers(outputs);
    int[] types =
        OnnxElementTypes.ofOutputs(
            type,
            numbers(inputs),
            name -> given.getOrDefault(name, Long.MIN_VALUE),
            expected.length);
    assertThat(types).isEqualTo(expected);
  }

  /** Before opset 6 a Cast says its type in words. */
  @ParameterizedTest
  @CsvSource({"DOUBLE, 11", "FLOAT16, 10", "INT64, 7", "BOOL, 9", "double, 0", "'', 0"})
  void aText_namesAType(String to, int expected) {
    NodeProto cast =
        NodeProto.newBuilder().setOpType("Cast").addAttribute(OnnxCase.attribute("to", to)).build();
    assertThat(OnnxElementTypes.ofOutputs("Cast", new int[] {1}, Attributes.integers(cast), 1))
        .isEqualTo(new int[] {expected});
  }

  private static int[] numbers(String text) {
    List<String> words = Splitter.on(' ').splitToList(text);
    int[] numbers = new int[words.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Integer.parseInt(words.get(i));
    }
    return numbers;
  }
}
