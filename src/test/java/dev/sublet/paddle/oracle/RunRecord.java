package dev.sublet.paddle.oracle;

import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Iterables;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The calls that the real Paddle does not run, found by the long form of a test and kept in a file.
 * The usual form asks a sample without these calls, because each crash costs a process.
 *
 * <p>The file contains the SHA-256 of the questions and of the evidence of the long form. If one of
 * them has changed, the record is out of date, and the test fails.
 *
 * @param sha256 of the questions and the evidence of the complete run
 * @param notRun the texts of calls and questions that Paddle does not run
 */
public record RunRecord(String sha256, ImmutableSet<String> notRun) {

  private static final String COMMAND =
      "mvn test -Dtest='OperatorFactsTest,LodFactsTest' -Dsublet.long=true"
          + " -Dsublet.updateGoldens=true";

  private static final String DIGEST = "sha256 ";

  /**
   * The record of a run.
   *
   * @param asked the calls and facts that decide the questions, in order
   * @param evidence the lines of evidence that the run has written, in order
   */
  public static RunRecord of(List<String> asked, List<String> evidence, Iterable<String> notRun) {
    Hasher hasher = Hashing.sha256().newHasher();
    for (String each : Iterables.concat(asked, evidence)) {
      hasher.putString(each, UTF_8).putChar('\n');
    }
    return new RunRecord(hasher.hash().toString(), ImmutableSet.copyOf(notRun));
  }

  /** Reads what {@link #write} has written. */
  public static RunRecord read(Path file) throws IOException {
    String sha256 = "";
    ImmutableSet.Builder<String> notRun = ImmutableSet.builder();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(DIGEST)) {
        sha256 = line.substring(DIGEST.length());
      } else if (!line.startsWith("#")) {
        notRun.add(line);
      }
    }
    return new RunRecord(sha256, notRun.build());
  }

  /** Writes the record. */
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# Not run by Paddle 2.3.2. Written by " + COMMAND);
    lines.add(DIGEST + sha256);
    lines.addAll(new TreeSet<>(notRun));
    Files.write(file, lines);
  }

  /** Fails if the record is not one of the same questions with the same evidence. */
  public void assertIsOf(List<String> asked, List<String> evidence) {
    assertWithMessage(
            "texts, facts of the catalog or the evidence have changed since all calls ran in Paddle; run "
                + COMMAND)
        .that(sha256)
        .isEqualTo(of(asked, evidence, ImmutableSet.of()).sha256());
  }
}
