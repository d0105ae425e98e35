package dev.sublet.paddle;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.baseline.PaddleMemoryPass;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.testing.InferredSizes;
import java.util.Locale;

/**
 * The clusters of Paddle's own memory pass: those that Paddle 2.3.2 logs, beside those that {@link
 * PaddleMemoryPass} computes, both by declared shapes and without graph passes.
 */
final class MemoryPassTable {

  /**
   * One program.
   *
   * @param logged the bytes of each cluster in Paddle's log
   * @param computed the bytes of each computed cluster
   */
  record Row(String program, ImmutableLongArray logged, ImmutableLongArray computed) {

    /** Logged bytes ÷ computed bytes. */
    double ratio() {
      return (double) logged.stream().sum() / computed.stream().sum();
    }

    private String text() {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %,d | %d | %,d | %.3f |",
          program,
          computed.length(),
          computed.stream().sum(),
          logged.length(),
          logged.stream().sum(),
          ratio());
    }
  }

  private MemoryPassTable() {}

  /** Prints a row per program of the corpus. */
  public static void main(String[] args) {
    System.out.println("| program | clusters | bytes | clusters in Paddle | bytes in Paddle | ÷ |");
    System.out.println("|---|--:|--:|--:|--:|--:|");
    double logarithms = 0;
    for (String name : CorpusModels.names()) {
      Row row = measure(CorpusModels.read(name));
      logarithms += Math.log(row.ratio());
      System.out.println(row.text());
    }
    double mean = Math.exp(logarithms / CorpusModels.names().size());
    System.out.printf(Locale.ROOT, "| geometric mean | | | | | %.3f |%n", mean);
  }

  /** Runs a model with Paddle's memory pass, and computes the same. */
  static Row measure(Model model) {
    ImmutableLongArray.Builder logged = ImmutableLongArray.builder();
    for (String cluster : PaddleRuntime.run(model, Mode.OPTIMIZING_MEMORY).trace()) {
      logged.add(Long.parseLong(cluster.substring(cluster.lastIndexOf(' ') + 1)));
    }
    return new Row(
        model.name(),
        logged.build(),
        PaddleMemoryPass.declaredClusters(model.program(), InferredSizes.of(model.program()))
            .orElseThrow());
  }
}
