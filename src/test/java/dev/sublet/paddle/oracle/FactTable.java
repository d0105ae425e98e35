package dev.sublet.paddle.oracle;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.paddle.oracle.FactResult.Judgement;
import dev.sublet.paddle.oracle.FactResult.Question;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What all runs said, as tables: one row a pair, one row an output. */
public final class FactTable {

  /** By question, operator and subject. */
  private final TreeMap<String, Row> rows = new TreeMap<>();

  /** The answers to one question about one subject. */
  private static final class Row {

    /** What the catalog believes, confirmed and refuted. */
    private int confirmed;

    private int refuted;

    /** What it does not believe, although bits are equal, and rightly. */
    private int missed;

    private int doubted;

    private void count(Judgement judgement) {
      if (judgement.believed()) {
        confirmed += judgement.isYes() ? 1 : 0;
        refuted += judgement.isYes() ? 0 : 1;
      } else {
        missed += judgement.isYes() ? 1 : 0;
        doubted += judgement.isYes() ? 0 : 1;
      }
    }

    private int asked() {
      return confirmed + refuted + missed + doubted;
    }
  }

  private FactTable() {}

  /** Counts the answers. Calls that do not give the same bits twice answer nothing. O(answers). */
  public static FactTable of(List<FactResult> results) {
    FactTable table = new FactTable();
    for (FactResult result : results) {
      if (isRepeatable(result)) {
        for (Judgement judgement : result.judgements()) {
          table
              .row(judgement.question(), result.factCase().call().type(), judgement.subject())
              .count(judgement);
        }
      }
    }
    return table;
  }

  /** Whether the bits of a call are the same each time. */
  public static boolean isRepeatable(FactResult result) {
    return result.judgements().stream()
        .allMatch(j -> j.isYes() || j.question() != Question.SAME_AGAIN);
  }

  private Row row(Question question, String type, String subject) {
    return rows.computeIfAbsent(question + " " + type + " " + subject, key -> new Row());
  }

  /** The evidence for in-place pairs that the catalog reads, line by line. */
  public ImmutableList<String> evidence() {
    ImmutableList.Builder<String> lines = ImmutableList.builder();
    lines.add("# operator, pair, calls of Paddle 2.3.2 with one name, with one buffer: equal bits");
    for (OperatorSpec spec : OperatorCatalog.standard().all()) {
      for (InPlacePair pair : spec.inPlacePairs()) {
        String subject = pair.input() + "->" + pair.output();
        Row names = row(Question.ONE_NAME, spec.type(), subject);
        Row buffers = row(Question.ONE_BUFFER, spec.type(), subject);
        if (names.confirmed + buffers.confirmed > 0 && names.refuted + buffers.refuted == 0) {
          lines.add(spec.type() + " " + subject + " " + names.confirmed + " " + buffers.confirmed);
        }
      }
    }
    return lines.build();
  }

  /** The operators of which any call ran. */
  public ImmutableSortedSet<String> judgedTypes() {
    ImmutableSortedSet.Builder<String> types = ImmutableSortedSet.naturalOrder();
    String begin = Question.SAME_AGAIN + " ";
    for (String key : rows.keySet()) {
      if (key.startsWith(begin)) {
        types.add(key.substring(begin.length(), key.indexOf(' ', begin.length())));
      }
    }
    return types.build();
  }

  /** The table of all pairs of Paddle's operators, in Markdown. */
  public ImmutableList<String> pairs() {
    List<String> lines = new ArrayList<>();
    lines.add("In-place pairs on the real Paddle Inference 2.3.2: calls with equal bits, of all.");
    lines.add("");
    lines.add(
        "| operator | pair | listed | condition | one name | one buffer | off by condition |");
    lines.add("|---|---|---|---|--:|--:|--:|");
    for (OperatorSpec spec : OperatorCatalog.standard().all()) {
      for (InPlacePair pair : spec.inPlacePairs()) {
        if (!spec.isOnnx()) {
          String subject = pair.input() + "->" + pair.output();
          Row names = row(Question.ONE_NAME, spec.type(), subject);
          Row buffers = row(Question.ONE_BUFFER, spec.type(), subject);
          lines.add(
              String.format(
                  "| %s | %s | %s | %s | %s | %s | %s |",
                  spec.type(),
                  subject,
                  pair.versions(),
                  pair.conditionText(),
                  names.asked() == 0
                      ? "not run"
                      : names.confirmed + " of " + (names.confirmed + names.refuted),
                  buffers.asked() == 0
                      ? "not run"
                      : buffers.confirmed + " of " + (buffers.confirmed + buffers.refuted),
                  (names.doubted + buffers.doubted)
                      + " differ, "
                      + (names.missed + buffers.missed)
                      + " equal"));
        }
      }
    }
    return ImmutableList.copyOf(lines);
  }

  /** The table of all other questions, in Markdown: one row an operator and slot. */
  public ImmutableList<String> others() {
    List<String> lines = new ArrayList<>();
    lines.add("What the real Paddle Inference 2.3.2 says of operators' outputs and inputs.");
    lines.add("");
    lines.add("| question | operator | slot | yes | no |");
    lines.add("|---|---|---|--:|--:|");
    for (Map.Entry<String, Row> entry : rows.entrySet()) {
      String[] key = entry.getKey().split(" ", 3);
      if (!key[0].startsWith("ONE_")) {
        Row row = entry.getValue();
        lines.add(
            String.format(
                "| %s | %s | %s | %d | %d |", key[0], key[1], key[2], row.confirmed, row.refuted));
      }
    }
    return ImmutableList.copyOf(lines);
  }
}
