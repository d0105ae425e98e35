package dev.sublet.runtime.micro.emit;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Doubles;
import dev.sublet.testing.c.CCompiler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Erf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The functions in C have the bits of StrictMath. */
final class StrictFunctionTest {

  private static final ImmutableMap<StrictFunction, DoubleUnaryOperator> JAVA =
      ImmutableMap.<StrictFunction, DoubleUnaryOperator>builder()
          .put(StrictFunction.EXP, StrictMath::exp)
          .put(StrictFunction.EXPM1, StrictMath::expm1)
          .put(StrictFunction.LOG, StrictMath::log)
          .put(StrictFunction.LOG1P, StrictMath::log1p)
          .put(StrictFunction.TANH, StrictMath::tanh)
          .put(StrictFunction.SINH, StrictMath::sinh)
          .put(StrictFunction.COSH, StrictMath::cosh)
          .put(StrictFunction.SIGMOID, x -> 1 / (1 + StrictMath.exp(-x)))
          .put(StrictFunction.ATAN, StrictMath::atan)
          .put(StrictFunction.ASIN, StrictMath::asin)
          .put(StrictFunction.ACOS, StrictMath::acos)
          .put(StrictFunction.SIN, StrictMath::sin)
          .put(StrictFunction.COS, StrictMath::cos)
          .put(StrictFunction.TAN, StrictMath::tan)
          .put(StrictFunction.ERF, x -> (float) Erf.value(x))
          .buildOrThrow();

  private static final int COUNT = 200_000;

  @TempDir private Path folder = Path.of("");

  @Test
  void functions_haveTheBitsOfStrictMath() throws Exception {
    CCompiler compiler = CCompiler.find();
    assumeTrue(compiler.isPresent(), "no C compiler on the path: not tested");
    double[] numbers = numbers();
    Files.writeString(folder.resolve("f.c"), source(numbers.length));
    Files.write(folder.resolve("in.bin"), bytes(numbers));
    compiler.build(folder, "f.c");
    compiler.run(folder, List.of("./program"));
    ByteBuffer out = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("out.bin")));
    out.order(ByteOrder.nativeOrder());
    JAVA.forEach(
        (function, java) -> {
          for (double x : numbers) {
            check(function.name(), x, java.applyAsDouble(x), rounded(function, out.getDouble()));
          }
        });
    for (int i = 0; i + 1 < numbers.length; i++) {
      double x = numbers[i];
      double y = numbers[i + 1] / 64;
      boolean isOne = x == 1 || (x == -1 && Double.isInfinite(y));
      check("POW " + y, x, isOne ? 1 : StrictMath.pow(x, y), out.getDouble());
    }
    assertThat(out.remaining()).isEqualTo(0);
  }

  /** The last bit of erf is that of Math.exp, which differs from machine to machine. */
  private static double rounded(StrictFunction function, double y) {
    return function == StrictFunction.ERF ? (float) y : y;
  }

  private static void check(String function, double x, double expected, double computed) {
    if (Double.compare(expected, computed) != 0) {
      assertWithMessage("%s(%s)", function, x).that(computed).isEqualTo(expected);
    }
  }

  /** Numbers of all sizes, most of them near 1, and the limits of the functions' ranges. */
  private static double[] numbers() {
    SplittableRandom random = new SplittableRandom(1);
    List<Double> numbers = new ArrayList<>();
    for (double special :
        new double[] {
          0,
          0.5,
          1,
          1.5,
          2,
          3,
          22,
          0x1p-28,
          0x1p-54,
          0x1p-1022,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          Double.POSITIVE_INFINITY,
          Double.NaN,
          709.782712893384,
          745.1332191019411,
          56 * 0.6931471805599453,
          Math.PI / 4,
          Math.PI / 2,
          Math.PI,
          1e5,
          1e22,
          1e300,
          0x1.6bcc41p1021
        }) {
      numbers.add(special);
      numbers.add(-special);
    }
    while (numbers.size() < COUNT) {
      double near = random.nextDouble() * 2 - 1;
      numbers.add(near);
      numbers.add(near * 8);
      numbers.add(near * 800);
      numbers.add((double) Math.round(near * 40) / 2);
      numbers.add(Double.longBitsToDouble(random.nextLong()));
    }
    return Doubles.toArray(numbers);
  }

  private static byte[] bytes(double[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.nativeOrder());
    bytes.asDoubleBuffer().put(numbers);
    return bytes.array();
  }

  /** A file with one function has no function that is not used. */
  @Test
  void eachFunction_compilesAlone() throws Exception {
    CCompiler compiler = CCompiler.find();
    assumeTrue(compiler.isPresent(), "no C compiler on the path: not tested");
    for (StrictFunction function : JAVA.keySet()) {
      EnumSet<StrictFunction> all = EnumSet.noneOf(StrictFunction.class);
      function.addTo(all);
      String source =
          "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"
              + StrictFunction.definitions(all, "f_")
              + "int main(void) { return f_"
              + function.functionName()
              + "(0.5) > 2; }\n";
      Files.writeString(folder.resolve("alone.c"), source);
      compiler.build(folder, "alone.c");
    }
  }

  private static String source(int count) {
    StringBuilder source =
        new StringBuilder("#include <math.h>\n#include <stdint.h>\n#include <string.h>\n");
    source.append("#include <stdio.h>\nstatic double in[").append(count).append("];\n");
    source.append(StrictFunction.definitions(EnumSet.allOf(StrictFunction.class), "f_"));
    source.append("int main(void) {\n  FILE *from = fopen(\"in.bin\", \"rb\");\n");
    source.append("  FILE *to = fopen(\"out.bin\", \"wb\");\n");
    source.append("  if (fread(in, 8, ").append(count).append(", from) != ").append(count);
    source.append(") return 1;\n");
    for (StrictFunction function : JAVA.keySet()) {
      source.append("  for (int i = 0; i < ").append(count).append("; i++) {\n");
      source.append("    const double y = f_").append(function.functionName());
      source.append("(in[i]);\n    fwrite(&y, 8, 1, to);\n  }\n");
    }
    source.append("  for (int i = 0; i + 1 < ").append(count).append("; i++) {\n");
    source.append("    const double y = f_pow(in[i], in[i + 1] / 64);\n");
    source.append("    fwrite(&y, 8, 1, to);\n  }\n  fclose(from);\n  return fclose(to);\n}\n");
    return source.toString();
  }
}
