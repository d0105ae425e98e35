package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxModel;
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
 * No kernel of an ONNX operator ends in an internal error: a damaged call has a result or an error
 * of one line. The calls are the lines of {@code cases.txt}, each with a wrong input or attribute.
 */
final class OnnxKernelRobustnessTest {

  private static final Path CASES = Path.of("testdata/onnx_operators/cases.txt");
  private static final int MUTANTS_OF_A_LINE = 12;

  /** What failed and where, with the first line that showed it. */
  private final Map<String, String> failures = new LinkedHashMap<>();

  private int computed;
  private int refused;

  @Test
  void damagedCalls_computeOrAreRefused() throws IOException {
    for (String line : Files.readAllLines(CASES)) {
      SplittableRandom random = new SplittableRandom(line.hashCode());
      for (int i = 0; i < MUTANTS_OF_A_LINE && !line.isBlank() && !line.startsWith("#"); i++) {
        String damaged = DamagedCases.damaged(line, random);
        OnnxCase one = OnnxCase.parse(damaged);
        if (Kernels.all().find(one.type()).isPresent()) {
          run(one, damaged);
        }
      }
    }
    assertThat(failures).isEmpty();
    assertThat(computed).isGreaterThan(500);
    assertThat(refused).isGreaterThan(500);
  }

  private void run(OnnxCase one, String line) {
    try {
      OnnxModel model = OnnxModel.of(one.constant());
      Executor.run(
          model.program(),
          ImmutableMap.of(),
          ModelParameters.read(model),
          ExecutionOptions.defaults());
      computed++;
    } catch (ProgramException e) {
      refused++;
    } catch (RuntimeException | Error e) {
      failures.putIfAbsent(e.getClass().getSimpleName() + " at " + place(e), line + ": " + e);
    }
  }

  private static String place(Throwable e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.sublet.")) {
        return frame.toString();
      }
    }
    return "no place";
  }
}
