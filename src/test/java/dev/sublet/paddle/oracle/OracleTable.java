package dev.sublet.paddle.oracle;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The table of operators and how far they are from Paddle, {@code target/operator-oracle.md}: made
 * of one part a family, so that families can run one by one and in every order. Beside the parts
 * lie lists of what differs, and of every case with its difference.
 */
public final class OracleTable {

  private static final Path TABLE = Path.of("target", "operator-oracle.md").toAbsolutePath();
  private static final Path PARTS = Path.of("target", "operator-oracle").toAbsolutePath();

  private OracleTable() {}

  /** One operator's cases. */
  private static final class Row {

    private int cases;
    private int failures;
    private double difference;
    private double tolerance;

    private String text(String type) {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %s | %.0e | %s |",
          type,
          cases,
          difference == 0 ? "0" : String.format(Locale.ROOT, "%.1e", difference),
          tolerance,
          failures == 0 ? "" : failures + " differ");
    }
  }

  /** Replaces a family's part, and writes the table of all parts that there are. */
  public static synchronized void write(String family, List<OracleResult> results)
      throws IOException {
    TreeMap<String, Row> rows = new TreeMap<>();
    for (OracleResult result : results) {
      Row row = rows.computeIfAbsent(result.oracleCase().type(), type -> new Row());
      row.cases++;
      row.tolerance = Math.max(row.tolerance, result.oracleCase().tolerance());
      if (result.failure().isEmpty()) {
        row.difference = Math.max(row.difference, result.difference());
      } else {
        row.failures++;
      }
    }
    List<String> lines = new ArrayList<>();
    rows.forEach((type, row) -> lines.add(row.text(type)));
    Files.createDirectories(PARTS);
    Files.write(PARTS.resolve(family + ".md"), lines);
    List<String> failures = new ArrayList<>();
    for (OracleResult result : results) {
      if (!result.failure().isEmpty()) {
        failures.add(result.toString());
      }
    }
    Files.write(PARTS.resolve(family + ".failures"), failures);
    List<String> cases = new ArrayList<>();
    for (OracleResult result : results) {
      cases.add(String.format(Locale.ROOT, "%.1e %s", result.difference(), result.oracleCase()));
    }
    Files.write(PARTS.resolve(family + ".cases"), cases);
    writeTable();
  }

  private static void writeTable() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("What operators compute here against Paddle 2.3.2, from the same tensors.");
    lines.add("");
    lines.add("| operator | cases | largest relative difference | allowed | |");
    lines.add("|---|---|---|---|---|");
    ImmutableList<Path> parts;
    try (Stream<Path> files = Files.list(PARTS)) {
      parts =
          files
              .filter(file -> file.toString().endsWith(".md"))
              .sorted()
              .collect(ImmutableList.toImmutableList());
    }
    List<String> rows = new ArrayList<>();
    for (Path part : parts) {
      rows.addAll(Files.readAllLines(part));
    }
    rows.sort(null);
    lines.addAll(rows);
    Files.write(TABLE, lines);
  }
}
