package dev.sublet.operator;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.spec.LodFlow;
import dev.sublet.operator.spec.LodRule;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.paddle.oracle.LodRuns;
import dev.sublet.paddle.oracle.LodRuns.Evidence;
import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.paddle.oracle.RunRecord;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.runtime.machine.OperatorFactsTest;
import dev.sublet.testing.LongForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The catalog's statements about sequence information (LoD), judged by the real Paddle: outputs
 * whose LoD an operator replaces, inputs whose LoD it passes on, operators that set none. Calls are
 * the lines of {@code testdata/operators} and {@code testdata/facts}. Writes {@code
 * target/lod-oracle.md}.
 *
 * <p>The usual form asks about operators of which the catalog says something about LoD, and leaves
 * out LoD in inputs with which an earlier run, kept in {@link RunRecord}, did not work. {@code
 * -Dsublet.long=true} asks about all operators, and with {@code -Dsublet.updateGoldens=true} it
 * writes the evidence for the offsets that shape rules state.
 */
public final class LodFactsTest {

  private static final OperatorCatalog CATALOG = OperatorCatalog.standard();

  /** The calls that do not run with LoD in an input. */
  private static final Path RECORD = Path.of("testdata", "facts", "not-run-with-lod.record");

  private static final int CALLS_OF_LINE = 1;
  private static final int CALLS_OF_TYPE = 2;

  /** The evidence for the offsets that shape rules state, as the catalog reads it. */
  private static final Path EVIDENCE =
      Path.of("src/main/resources/dev/sublet/operator/spec/lod-runs.txt");

  /** A few calls of each operator. */
  private static ImmutableList<OracleCase> calls() throws IOException {
    ImmutableList.Builder<OracleCase> calls = ImmutableList.builder();
    Map<String, Integer> ofType = new HashMap<>();
    for (String line : lines()) {
      Map<String, Integer> ofLine = new HashMap<>();
      for (OracleCase call : OracleText.cases(line)) {
        if (ofLine.merge(call.type(), 1, Integer::sum) <= CALLS_OF_LINE
            && ofType.merge(call.type(), 1, Integer::sum) <= CALLS_OF_TYPE) {
          calls.add(call);
        }
      }
    }
    return calls.build();
  }

  private static boolean saysSomething(LodFlow flow) {
    return !flow.replaced().isEmpty() || !flow.sources().isEmpty() || flow.rule() == LodRule.CLEARS;
  }

  private static List<String> lines() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String folder : List.of("operators", "facts")) {
      try (Stream<Path> found = Files.list(Path.of("testdata", folder))) {
        found.filter(file -> file.toString().endsWith(".txt")).sorted().forEach(files::add);
      }
    }
    List<String> lines = new ArrayList<>();
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          lines.add(line);
        }
      }
    }
    return lines;
  }

  @Test
  void whatTheCatalogSaysOfLod_isSo() throws IOException {
    PaddleRuntime.assumeAvailable();
    List<OracleCase> calls = new ArrayList<>();
    List<String> asked = new ArrayList<>();
    for (OracleCase call : calls()) {
      if (LongForm.isOn() || saysSomething(CATALOG.lookup(call.type()).lod())) {
        calls.add(call.completed(OperatorFactsTest::run));
      }
      asked.add(call.text());
    }
    List<String> table = new ArrayList<>();
    table.add("| operator | output | runs | old LoD shows | LoD from | wrong |");
    table.add("|---|---|--:|--:|---|---|");
    List<String> wrong = new ArrayList<>();
    LodRuns.Answers answers = LodRuns.ask(calls, left(asked));
    SortedMap<String, Evidence> evidence = answers.evidence();
    evidence.forEach(
        (key, found) -> {
          List<String> parts = Splitter.on(' ').splitToList(key);
          String refuted = refuted(CATALOG.lookup(parts.get(0)), parts.get(1), found);
          table.add(
              String.format(
                  "| %s | %s | %d | %d | %s | %s |",
                  parts.get(0),
                  parts.get(1),
                  found.runs(),
                  found.keptOld(),
                  String.join(", ", found.sources()),
                  refuted));
          if (!refuted.isEmpty()) {
            wrong.add(key + ": " + refuted);
          }
        });
    Files.write(Path.of("target", "lod-oracle.md"), table);
    assertThat(wrong).isEmpty();
    assertThat(withoutRuns(evidence)).isEmpty();
    assertThat(answers.refused()).isEmpty();
    if (LongForm.isOn()) {
      ImmutableList<String> confirmed = confirmed(evidence);
      RunRecord record = RunRecord.of(asked, confirmed, answers.notRun());
      boolean isOld = Files.readAllLines(EVIDENCE).equals(confirmed);
      if (Boolean.getBoolean("sublet.updateGoldens")) {
        Files.write(EVIDENCE, confirmed);
        record.write(RECORD);
      }
      assertThat(Files.readAllLines(EVIDENCE)).containsExactlyElementsIn(confirmed).inOrder();
      if (isOld) { // else the catalog of this process does not know the evidence
        assertThat(answers.wrongShapes()).isEmpty();
      }
      assertThat(RunRecord.read(RECORD)).isEqualTo(record);
    } else {
      assertThat(answers.notRun()).isEmpty();
      assertThat(answers.wrongShapes()).isEmpty();
    }
  }

  /** The lines of evidence: outputs whose offsets the shape rule always states rightly. */
  private static ImmutableList<String> confirmed(SortedMap<String, Evidence> evidence) {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add(
        "# operator, output: in all runs of Paddle 2.3.2 with LoD in an input, the offsets were"
            + " those of the shape rule");
    evidence.forEach(
        (key, found) -> {
          if (found.confirmsOffsets()) {
            lines.add(key);
          }
        });
    return lines.build();
  }

  /** What an earlier run found not to run; nothing in the long form. */
  private static ImmutableSet<String> left(List<String> asked) throws IOException {
    if (LongForm.isOn()) {
      return ImmutableSet.of();
    }
    RunRecord record = RunRecord.read(RECORD);
    record.assertIsOf(asked, Files.readAllLines(EVIDENCE));
    return record.notRun();
  }

  /** The outputs of which the catalog says that their LoD is replaced, and that no run has set. */
  private static List<String> withoutRuns(SortedMap<String, Evidence> evidence) {
    List<String> without = new ArrayList<>();
    for (OperatorSpec spec : CATALOG.all()) {
      for (String slot : spec.lod().replaced()) {
        String key = spec.type() + " " + slot;
        if (!spec.isOnnx() && !evidence.containsKey(key)) {
          without.add(key);
        }
      }
    }
    return without;
  }

  private static String refuted(OperatorSpec spec, String slot, Evidence found) {
    if (spec.lod().replaced().contains(slot) && found.keptOld() > 0) {
      return "the LoD from before shows";
    }
    if (spec.lod().rule() == LodRule.CLEARS && !found.sources().isEmpty()) {
      return "it gets LoD";
    }
    for (String sources : found.sources()) {
      for (String source : Splitter.on('+').split(sources)) {
        if (spec.lod().rule() == LodRule.PASSES && !spec.lod().passesFrom(source)) {
          return "it gets the LoD of " + source;
        }
      }
    }
    return "";
  }
}
