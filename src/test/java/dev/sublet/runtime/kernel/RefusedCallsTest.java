package dev.sublet.runtime.kernel;

import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.runtime.machine.OperatorFactsTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The calls of {@code testdata/refused} end in a diagnostic, not in values that may be wrong. */
final class RefusedCallsTest {

  private static List<String> lines(String file) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("testdata/refused", file))) {
      return lines.filter(line -> !line.startsWith("#")).toList();
    }
  }

  static List<String> calls() throws IOException {
    return lines("calls.txt");
  }

  static List<String> shapes() throws IOException {
    return lines("shapes.txt");
  }

  @ParameterizedTest
  @MethodSource("calls")
  void theExecutorDoesNotComputeIt(String line) {
    for (OracleCase each : OracleText.cases(line)) {
      assertThrows(OperatorException.class, () -> OperatorFactsTest.run(each.call()));
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void theShapeRuleRefusesIt(String line) {
    for (OracleCase each : OracleText.cases(line)) {
      assertWithMessage(line).that(each.isRefusedByShapeRule()).isTrue();
    }
  }
}
