package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.tensor.Tensor;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The gradients of {@code testdata/examples/machine_translation}, through {@code while_grad},
 * arrays and rank tables, against finite differences of its loss.
 */
final class MachineTranslationTest {

  private static final Program PROGRAM =
      ProgramReader.read(Path.of("testdata/examples/machine_translation/program.textproto"));

  /** Two and four source words, four and three target words, so that the order of ranks differs. */
  private static final ImmutableMap<String, LodTensor> FEEDS =
      ImmutableMap.of(
          "src_word", words(ImmutableLongArray.of(0, 2, 6), 5, 9, 2, 7, 2, 1),
          "trg_word", words(ImmutableLongArray.of(0, 3, 7), 4, 8, 3, 1, 6, 8, 2),
          "trg_next", words(ImmutableLongArray.of(0, 3, 7), 8, 3, 0, 6, 8, 2, 0));

  private static LodTensor words(ImmutableLongArray offsets, long... words) {
    Tensor column = Tensor.of(ImmutableLongArray.of(words.length, 1), words);
    return new LodTensor(column, ImmutableList.of(offsets));
  }

  @ParameterizedTest
  @ValueSource(strings = {"src_emb_w", "trg_emb_w", "src_w", "src_b", "wx", "wh", "bh", "wo", "bo"})
  void aParametersGradient_equalsFiniteDifferences(String parameter) {
    ImmutableMap<String, Tensor> parameters = RandomTensors.parameters(PROGRAM);
    ExecutionResult result =
        Executor.run(
            PROGRAM,
            FEEDS,
            parameters,
            ExecutionOptions.defaults().wanting(ImmutableSet.of(parameter + "@GRAD")));
    Tensor gradient = result.outputs().get(1).tensor().tensor();
    int steepest = 0;
    for (int i = 0; i < gradient.length(); i++) {
      double slope = Math.abs(gradient.getDouble(i));
      steepest = slope > Math.abs(gradient.getDouble(steepest)) ? i : steepest;
    }
    double slope = slope(parameters, parameter, steepest);
    assertThat(Math.abs(slope)).isGreaterThan(1e-3);
    assertWithMessage("element %s", steepest)
        .that(gradient.getDouble(steepest))
        .isWithin(0.01 * Math.abs(slope))
        .of(slope);
  }

  private static double slope(
      ImmutableMap<String, Tensor> parameters, String parameter, int element) {
    float step = 1.0f / 64;
    return (loss(parameters, parameter, element, step)
            - loss(parameters, parameter, element, -step))
        / (2 * step);
  }

  private static double loss(
      ImmutableMap<String, Tensor> parameters, String parameter, int element, float shift) {
    Tensor given = requireNonNull(parameters.get(parameter));
    float[] values = given.floats().clone();
    values[element] += shift;
    Map<String, Tensor> shifted = new HashMap<>(parameters);
    shifted.put(parameter, Tensor.of(given.shape(), values));
    return Executor.run(PROGRAM, FEEDS, ImmutableMap.copyOf(shifted), ExecutionOptions.defaults())
        .outputs()
        .get(0)
        .tensor()
        .tensor()
        .getDouble(0);
  }
}
