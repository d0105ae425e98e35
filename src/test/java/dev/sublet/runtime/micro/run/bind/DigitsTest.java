package dev.sublet.runtime.micro.run.bind;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.run.CompiledMicro;
import dev.sublet.runtime.micro.run.TreeInterpreter;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Axes that are indexed with the digits of a place are one axis, in bounds for the same places. */
final class DigitsTest {

  @Property(tries = 500)
  void digits_haveTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    Random random = new Random(seed);
    int[] extents = new int[2 + random.nextInt(3)];
    int elements = 1;
    for (int axis = 0; axis < extents.length; axis++) {
      extents[axis] = 1 + random.nextInt(5);
      elements *= extents[axis];
    }
    int columns = 1 + random.nextInt(9);
    int rows = elements / columns + 1;
    // Sometimes a place is outside, or an axis has one element more than digits.
    String place = "i0 * " + columns + " + i1" + (random.nextInt(3) == 0 ? " - 2" : "");
    String digits = digits(place, extents);
    extents[random.nextInt(extents.length)] += random.nextInt(4) == 0 ? 1 : 0;
    String text =
        """
        program digits
        input x: float32[SHAPE]
        input z: float32[ROWS, COLUMNS]
        output y: float32[ROWS, COLUMNS]
        output w: float32[SHAPE]
        function y
          block
            for i0 in 0..ROWS
              for i1 in 0..COLUMNS
                y[i0, i1] = x[DIGITS outside 7.0]
        function w
          block
            for i0 in 0..ROWS
              for i1 in 0..COLUMNS
                w[DIGITS] += z[i0, i1] + 1.0
        """
            .replace("SHAPE", shape(extents))
            .replace("ROWS", "" + rows)
            .replace("COLUMNS", "" + columns)
            .replace("DIGITS", digits);
    MicroProgram program = MicroProgramText.parse(text);
    ImmutableMap<String, Tensor> inputs =
        ImmutableMap.of("x", tensor(random, extents), "z", tensor(random, rows, columns));
    Tuning shared = new Tuning(VectorizationPlan::of, /* threads= */ 3, /* shareable= */ 0);
    assertWithMessage("seed %s:\n%s", seed, text)
        .that(CompiledMicro.compile(program, shared).run(inputs, ImmutableMap.of()))
        .isEqualTo(new TreeInterpreter(program, inputs, ImmutableMap.of()).run());
  }

  @Test
  void reshape_isOneLoop() {
    MicroProgram program =
        MicroProgramText.parse(
            """
            program reshape
            input x: float32[6, 4, 5]
            output y: float32[2, 12, 5]
            function y
              block
                for i0 in 0..2
                  for i1 in 0..12
                    for i2 in 0..5
                      y[i0, i1, i2] = x[(i0 * 12 + i1) / 4, i0 * 12 + i1 - (i0 * 12 + i1) / 4 * 4, i2]
            """);
    ImmutableMap<String, Tensor> inputs = ImmutableMap.of("x", tensor(new Random(1), 6, 4, 5));
    RunExtents extents = RunExtents.of(program, inputs, ImmutableMap.of());
    BoundNest nest = new BoundNest(extents, program.functions().get(0).blocks().get(0));
    CoalesceLoops.in(nest);
    assertThat(nest.iterations(0)).isEqualTo(1);
    assertThat(nest.iterations(1)).isEqualTo(1);
    assertThat(nest.iterations(2)).isEqualTo(120);
  }

  private static String digits(String place, int[] extents) {
    String rest = "(" + place + ")";
    String digits = "";
    for (int axis = extents.length - 1; axis > 0; axis--) {
      String quotient = rest + " / " + extents[axis];
      digits = ", %s - %s * %s".formatted(rest, quotient, extents[axis]) + digits;
      rest = quotient;
    }
    return rest + digits;
  }

  private static String shape(int[] extents) {
    StringBuilder shape = new StringBuilder();
    for (int extent : extents) {
      shape.append(shape.isEmpty() ? "" : ", ").append(extent);
    }
    return shape.toString();
  }

  private static Tensor tensor(Random random, int... extents) {
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    int length = 1;
    for (int extent : extents) {
      shape.add(extent);
      length *= extent;
    }
    float[] elements = new float[length];
    for (int i = 0; i < length; i++) {
      elements[i] = (float) random.nextGaussian();
    }
    return Tensor.of(shape.build(), elements);
  }
}
