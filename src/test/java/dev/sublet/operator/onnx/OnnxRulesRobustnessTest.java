package dev.sublet.operator.onnx;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Program;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.onnx.DamagedCases;
import dev.sublet.testing.onnx.OnnxCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * No rule of an operator of ONNX fails on a model that is not sound: a node with any inputs and any
 * values of the attributes that operators have ends in sizes, known or not, or in a diagnostic.
 */
final class OnnxRulesRobustnessTest {

  private static final Path CASES = Path.of("testdata/onnx_operators/cases.txt");
  private static final int TRIES = 60;

  /** What failed and where, with the first line that showed it. */
  private final Map<String, String> failures = new LinkedHashMap<>();

  @Test
  void malformedNodes_endInSizesOrADiagnostic() {
    int sized = 0;
    int refused = 0;
    for (OperatorSpec spec : OperatorCatalog.standard().all()) {
      if (!spec.isOnnx() || spec.type().startsWith("onnx.")) {
        continue;
      }
      SplittableRandom random = new SplittableRandom(spec.type().hashCode());
      for (int i = 0; i < TRIES; i++) {
        if (infer(OnnxCase.parse(DamagedCases.line(spec.type(), random)))) {
          sized++;
        } else {
          refused++;
        }
      }
    }
    assertThat(failures).isEmpty();
    assertThat(sized).isGreaterThan(1000);
    assertThat(refused).isGreaterThan(1000);
  }

  /** Operators that are sound but for one word: an input, or the value of an attribute. */
  @Test
  void damagedNodes_endInSizesOrADiagnostic() throws IOException {
    int tried = 0;
    for (String line : Files.readAllLines(CASES)) {
      SplittableRandom random = new SplittableRandom(line.hashCode());
      for (int i = 0; i < TRIES && !line.isBlank() && !line.startsWith("#"); i++) {
        infer(OnnxCase.parse(DamagedCases.damaged(line, random)));
        tried++;
      }
    }
    assertThat(failures).isEmpty();
    assertThat(tried).isGreaterThan(10_000);
  }

  private static String place(RuntimeException e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.sublet.")) {
        return frame.toString();
      }
    }
    return "no place";
  }

  /** Whether there are sizes; with given shapes, so that mismatches are errors. */
  private boolean infer(OnnxCase one) {
    try {
      Program program = OnnxModel.of(one.fed(/* open= */ false, /* all= */ false)).program();
      OperatorCatalog catalog = OperatorCatalog.standard();
      ShapeOptions options = new ShapeOptions(2, ImmutableMap.of(), ImmutableMap.of());
      ShapeInference.infer(program, catalog, LodCarriers.find(program, catalog), options);
      return true;
    } catch (ProgramException e) {
      return false;
    } catch (RuntimeException e) {
      failures.putIfAbsent(e + " at " + place(e), one.line());
      return false;
    }
  }
}
