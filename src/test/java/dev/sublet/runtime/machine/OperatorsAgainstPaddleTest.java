package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Sets;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.paddle.oracle.OperatorOracle;
import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleResult;
import dev.sublet.paddle.oracle.OracleTable;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operator of the registry against the real Paddle, on the cases in {@code
 * testdata/operators}: one file a family, in the language of {@link OracleText}. Writes {@code
 * target/operator-oracle.md}.
 */
final class OperatorsAgainstPaddleTest {

  private static final Path FOLDER = Path.of("testdata", "operators");

  /** Operators without cases: {@code - type, type: reason} on each line. */
  private static final Path WITHOUT_CASES = FOLDER.resolve("without-cases.md");

  /** Gradient operators that cannot run although their operators can: the same. */
  private static final Path WITHOUT_GRADIENTS = FOLDER.resolve("without-gradients.md");

  /** A pattern of operator types, to try a few. */
  private static final String TYPES = System.getProperty("sublet.operators", ".*");

  static ImmutableList<String> families() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".txt"))
          .map(name -> name.replace(".txt", ""))
          .sorted()
          .collect(ImmutableList.toImmutableList());
    }
  }

  @ParameterizedTest
  @MethodSource("families")
  void operators_computeWhatPaddleComputes(String family) throws IOException {
    PaddleRuntime.assumeAvailable();
    ImmutableList<OracleResult> results =
        OperatorOracle.compare(family, cases(family), OperatorsAgainstPaddleTest::run);
    OracleTable.write(family, results);
    ImmutableList<OracleResult> failures =
        results.stream()
            .filter(result -> !result.failure().isEmpty())
            .collect(ImmutableList.toImmutableList());
    assertWithMessage("%s of %s cases", failures.size(), results.size()).that(failures).isEmpty();
  }

  @Test
  void everyOperator_hasCasesOrAReason() throws IOException {
    Assumptions.assumeTrue(TYPES.equals(".*"), "skipped: a few operators are tried");
    ImmutableSet.Builder<String> covered = ImmutableSet.builder();
    for (String family : families()) {
      cases(family).forEach(oracleCase -> covered.add(oracleCase.type()));
    }
    ImmutableSet<String> withCases = covered.build();
    ImmutableListMultimap<String, String> reasons = reasons(WITHOUT_CASES);
    assertWithMessage("cases and a reason for none")
        .that(Sets.intersection(withCases, reasons.keySet()))
        .isEmpty();
    assertWithMessage("no cases and no reason")
        .that(Sets.difference(types(), Sets.union(withCases, reasons.keySet())))
        .isEmpty();
    assertWithMessage("reasons for unknown operators")
        .that(Sets.difference(reasons.keySet(), types()))
        .isEmpty();
  }

  /** Paddle's gradient operators are those that the catalog knows. */
  @Test
  void everyGradient_canRunOrHasAReason() throws IOException {
    ImmutableSortedSet.Builder<String> missing = ImmutableSortedSet.naturalOrder();
    for (String type : types()) {
      String gradient = type + "_grad";
      boolean isKnown = OperatorCatalog.standard().lookup(gradient).known();
      if (isKnown && !type.endsWith("_grad") && !types().contains(gradient)) {
        missing.add(gradient);
      }
    }
    assertThat(reasons(WITHOUT_GRADIENTS).keySet()).containsExactlyElementsIn(missing.build());
  }

  /** {@code sublet ops} lists the catalog and says of its operators whether they run. */
  @Test
  void everyOperator_isInTheCatalog() {
    for (String type : types()) {
      assertWithMessage(type).that(OperatorCatalog.standard().lookup(type).known()).isTrue();
    }
  }

  /** Paddle's operators; {@link OnnxRunsAgainstRuntimeTest} judges those of ONNX. */
  private static ImmutableSet<String> types() {
    OperatorCatalog catalog = OperatorCatalog.standard();
    return Kernels.all().types().stream()
        .filter(type -> !catalog.lookup(type).isOnnx())
        .collect(ImmutableSet.toImmutableSet());
  }

  private static ImmutableListMultimap<String, String> reasons(Path file) throws IOException {
    ImmutableListMultimap.Builder<String, String> reasons = ImmutableListMultimap.builder();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("- ")) {
        int colon = line.indexOf(": ");
        for (String type : Splitter.on(", ").split(line.substring(2, colon))) {
          reasons.put(type, line.substring(colon + 2));
        }
      }
    }
    return reasons.build();
  }

  static ImmutableList<OracleCase> cases(String family) throws IOException {
    List<String> lines = Files.readAllLines(FOLDER.resolve(family + ".txt"));
    ImmutableList.Builder<OracleCase> cases = ImmutableList.builder();
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        for (OracleCase oracleCase : OracleText.cases(line)) {
          if (oracleCase.type().matches(TYPES)) {
            cases.add(oracleCase);
          }
        }
      }
    }
    return cases.build();
  }

  static OperatorResult run(OperatorCall call) {
    return Kernels.all()
        .find(call.type())
        .orElseThrow(() -> new OperatorException(call.type() + " has no kernel"))
        .run(call);
  }
}
