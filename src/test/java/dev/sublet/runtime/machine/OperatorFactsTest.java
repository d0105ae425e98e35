package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.InPlaceRuns;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.paddle.oracle.FactCase;
import dev.sublet.paddle.oracle.FactResult;
import dev.sublet.paddle.oracle.FactTable;
import dev.sublet.paddle.oracle.OperatorFacts;
import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.paddle.oracle.RunRecord;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.testing.LongForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The catalog's facts, judged by the real Paddle: in-place pairs, outputs that are written
 * entirely, their shapes, inputs of which only the shape is read, inputs that stay as they are.
 * Calls are the lines of {@code testdata/operators} and {@code testdata/facts}, with variations.
 *
 * <p>The usual form judges a sample: of each line the first call of an operator that Paddle runs,
 * and every twentieth one after it. The results must agree with the evidence. {@code
 * -Dsublet.long=true} judges all calls, and their results must be the evidence. A change of the
 * lines or of the catalog's facts demands that form, see {@link RunRecord}.
 *
 * <p>Writes {@code target/in-place-oracle.md} and {@code target/whole-write-oracle.md}; with {@code
 * -Dsublet.updateGoldens=true} the long form also writes the evidence that the catalog reads.
 */
public final class OperatorFactsTest {

  private static final Path OPERATORS = Path.of("testdata", "operators");
  private static final Path FACTS = Path.of("testdata", "facts");
  private static final Path EVIDENCE =
      Path.of("src", "main", "resources", "dev", "sublet", "operator", "spec", "in-place-runs.txt");

  /** Outputs that nothing could run: {@code - operator, operator: reason} on each line. */
  private static final Path WITHOUT_RUNS = FACTS.resolve("without-runs.md");

  /** What Paddle does not run. */
  private static final Path RECORD = FACTS.resolve("not-run.record");

  private static final OperatorCatalog CATALOG = OperatorCatalog.standard();

  /** The usual form judges the first of so many calls of an operator in a line. */
  private static final int CALLS_FOR_ONE = 20;

  private static ImmutableList<String> asked = ImmutableList.of();
  private static ImmutableList<FactResult> results = ImmutableList.of();

  @BeforeAll
  static void judge() throws IOException {
    PaddleRuntime.assumeAvailable();
    ImmutableList<ImmutableList<OracleCase>> lines = lines();
    asked = asked(lines);
    if (LongForm.isOn()) {
      results = OperatorFacts.judge(cases(lines), ImmutableSet.of());
    } else {
      RunRecord record = RunRecord.read(RECORD);
      record.assertIsOf(asked, Files.readAllLines(EVIDENCE));
      results = OperatorFacts.judge(sample(lines, record.notRun()), record.notRun());
    }
    FactTable table = FactTable.of(results);
    Files.write(Path.of("target", "in-place-oracle.md"), table.pairs());
    Files.write(Path.of("target", "whole-write-oracle.md"), table.others());
    List<String> refused = new ArrayList<>();
    for (FactResult result : results) {
      if (!result.refusal().isEmpty()) {
        refused.add(result.factCase() + "\n    " + result.refusal());
      }
    }
    Files.write(Path.of("target", "refused-calls.txt"), refused);
  }

  /** The calls of each line of the texts. */
  private static ImmutableList<ImmutableList<OracleCase>> lines() throws IOException {
    ImmutableList.Builder<ImmutableList<OracleCase>> lines = ImmutableList.builder();
    for (Path folder : List.of(OPERATORS, FACTS)) {
      for (Path file : texts(folder)) {
        for (String line : Files.readAllLines(file)) {
          if (!line.isBlank() && !line.startsWith("#")) {
            lines.add(OracleText.cases(line));
          }
        }
      }
    }
    return lines.build();
  }

  /** The calls, and the catalog's facts about their operators: they decide the questions. */
  private static ImmutableList<String> asked(ImmutableList<ImmutableList<OracleCase>> lines) {
    ImmutableList.Builder<String> asked = ImmutableList.builder();
    ImmutableSortedSet.Builder<String> types = ImmutableSortedSet.naturalOrder();
    for (ImmutableList<OracleCase> calls : lines) {
      for (OracleCase call : calls) {
        asked.add(call.text());
        types.add(call.type());
      }
    }
    for (String type : types.build()) {
      OperatorSpec spec = CATALOG.lookup(type);
      asked.add(type + " " + spec.effects() + spec.writtenInputs() + spec.noNeedBuffer());
      for (InPlacePair pair : spec.inPlacePairs()) {
        asked.add(pair.input() + "->" + pair.output() + " " + pair.conditionText());
      }
    }
    return asked.build();
  }

  private static ImmutableList<FactCase> cases(ImmutableList<ImmutableList<OracleCase>> lines) {
    return lines.stream()
        .flatMap(List::stream)
        .flatMap(call -> cases(call).stream())
        .collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<FactCase> cases(OracleCase call) {
    return FactCase.of(call, pairInputs(call.type()), OperatorFactsTest::run);
  }

  /** Some calls of each line; none that Paddle does not run. */
  private static ImmutableList<FactCase> sample(
      ImmutableList<ImmutableList<OracleCase>> lines, ImmutableSet<String> notRun) {
    ImmutableList.Builder<FactCase> sample = ImmutableList.builder();
    for (ImmutableList<OracleCase> calls : lines) {
      Map<String, Integer> numbers = new HashMap<>();
      for (OracleCase call : calls) {
        if (!notRun.contains(call.text())
            && numbers.merge(call.type(), 1, Integer::sum) % CALLS_FOR_ONE == 1) {
          cases(call).stream()
              .filter(factCase -> !notRun.contains(factCase.text()))
              .forEach(sample::add);
        }
      }
    }
    return sample.build();
  }

  private static ImmutableList<Path> texts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".txt"))
          .sorted()
          .collect(ImmutableList.toImmutableList());
    }
  }

  private static ImmutableSet<String> pairInputs(String type) {
    ImmutableSet.Builder<String> inputs = ImmutableSet.builder();
    for (InPlacePair pair : CATALOG.lookup(type).inPlacePairs()) {
      inputs.add(pair.input());
    }
    return inputs.build();
  }

  /** Whether all offsets beside a call's inputs are those of sequences. */
  public static boolean hasSequences(OperatorCall call) {
    return call.inputs().values().stream().allMatch(LodTensor::hasSequences);
  }

  /** Computes the inputs of gradients that come from the forward operator. */
  public static OperatorResult run(OperatorCall call) {
    if (Kernels.all().find(call.type()).isEmpty()) {
      throw new OperatorException(call.type() + " has no kernel");
    }
    return KernelRunner.compute(call, Kernels.all());
  }

  @Test
  void whatTheCatalogBelieves_isSo() {
    List<String> wrong = new ArrayList<>();
    for (FactResult result : results) {
      for (FactResult.Judgement judgement : result.judgements()) {
        if (judgement.believed() && !judgement.isYes() && FactTable.isRepeatable(result)) {
          wrong.add(
              String.format(
                  "%s %s of %s%n    %s",
                  judgement.question(),
                  judgement.subject(),
                  result.factCase(),
                  judgement.failure()));
        }
      }
    }
    assertWithMessage("%s of %s calls", wrong.size(), results.size()).that(wrong).isEmpty();
  }

  /** In the usual form, the runs of the sample are among those of the evidence. */
  @Test
  void evidence_isWhatTheRunsSaid() throws IOException {
    ImmutableList<String> evidence = FactTable.of(results).evidence();
    if (!LongForm.isOn()) {
      assertThat(evidence.size()).isAtLeast(95 * Files.readAllLines(EVIDENCE).size() / 100);
      for (String line : evidence.subList(1, evidence.size())) {
        List<String> ran = Splitter.on(' ').splitToList(line);
        InPlaceRuns all = evidence(ran.get(0), ran.get(1));
        assertWithMessage(line).that(all.names()).isAtLeast(Integer.parseInt(ran.get(2)));
        assertWithMessage(line).that(all.buffers()).isAtLeast(Integer.parseInt(ran.get(3)));
      }
      return;
    }
    ImmutableSortedSet.Builder<String> notRun = ImmutableSortedSet.naturalOrder();
    results.forEach(result -> notRun.addAll(result.notRun()));
    RunRecord record = RunRecord.of(asked, evidence, notRun.build());
    if (Boolean.getBoolean("sublet.updateGoldens")) {
      Files.write(EVIDENCE, evidence);
      record.write(RECORD);
    }
    assertThat(Files.readAllLines(EVIDENCE)).containsExactlyElementsIn(evidence).inOrder();
    assertThat(RunRecord.read(RECORD)).isEqualTo(record);
  }

  /** The evidence for a pair of an operator, such as {@code X->Out}, as the catalog has read it. */
  private static InPlaceRuns evidence(String type, String subject) {
    for (InPlacePair pair : CATALOG.lookup(type).inPlacePairs()) {
      if ((pair.input() + "->" + pair.output()).equals(subject)) {
        return pair.runs();
      }
    }
    throw new AssertionError("no pair " + subject + " of " + type);
  }

  /** A pair without a run is off, whatever tables list it. */
  @Test
  void everyPairThatIsOn_hasRuns() throws IOException {
    List<String> evidence =
        LongForm.isOn() ? FactTable.of(results).evidence() : Files.readAllLines(EVIDENCE);
    for (OperatorSpec spec : CATALOG.all()) {
      for (long version : new long[] {0, 1_005_000, 1_008_000, 2_000_000, 2_003_002, 3_000_000}) {
        for (InPlacePair pair : CATALOG.inPlacePairs(spec, version)) {
          String key = spec.type() + " " + pair.input() + "->" + pair.output() + " ";
          assertWithMessage(key)
              .that(spec.isOnnx() || evidence.stream().anyMatch(line -> line.startsWith(key)))
              .isTrue();
        }
      }
    }
  }

  /** An output is believed to be written entirely only if a run has shown it, or for a reason. */
  @Test
  void everyWholeWrite_hasRunsOrAReason() throws IOException {
    ImmutableSet<String> judged = FactTable.of(results).judgedTypes();
    ImmutableSet.Builder<String> reasons = ImmutableSet.builder();
    for (String line : Files.readAllLines(WITHOUT_RUNS)) {
      if (line.startsWith("- ")) {
        reasons.addAll(Splitter.on(", ").split(line.substring(2, line.indexOf(": "))));
      }
    }
    ImmutableSet<String> without = reasons.build();
    TreeSet<String> missing = new TreeSet<>();
    TreeSet<String> needless = new TreeSet<>();
    for (OperatorSpec spec : CATALOG.all()) {
      if (!spec.isOnnx() && spec.effects().others() == Effect.MUST_WRITE) {
        boolean ran = judged.contains(spec.type());
        if (!ran && !without.contains(spec.type())) {
          missing.add(spec.type());
        } else if (ran && without.contains(spec.type())) {
          needless.add(spec.type());
        }
      }
    }
    assertWithMessage("neither runs nor a reason").that(missing).isEmpty();
    assertWithMessage("runs and a reason for none").that(needless).isEmpty();
  }
}
