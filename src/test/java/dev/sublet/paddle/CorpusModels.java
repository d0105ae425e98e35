package dev.sublet.paddle;

import com.google.common.collect.ImmutableList;
import dev.sublet.codec.program.ProgramReader;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The real programs in the folder that SUBLET_CORPUS names, with their own parameters if any. */
public final class CorpusModels {

  private CorpusModels() {}

  /** Skips the running test where SUBLET_CORPUS is unset. */
  public static void assumeAvailable() {
    Assumptions.assumeTrue(
        System.getenv("SUBLET_CORPUS") != null, "skipped: SUBLET_CORPUS names no folder");
  }

  /** The names of the programs' folders, in order; none where SUBLET_CORPUS is unset. */
  public static ImmutableList<String> names() {
    if (System.getenv("SUBLET_CORPUS") == null) {
      return ImmutableList.of();
    }
    try (Stream<Path> folders = Files.list(corpus())) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("program.pdmodel")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The model of that name; skips the running test if nobody has said what to feed it with. */
  public static Model read(String name) {
    Optional<Feeds> known = CorpusInputs.of(name);
    Assumptions.assumeTrue(known.isPresent(), "skipped: CorpusInputs has no row for " + name);
    Path folder = corpus().resolve(name);
    Program program = ProgramReader.read(folder.resolve("program.pdmodel"));
    Path parameters = folder.resolve("params.pdiparams");
    Feeds feeds = known.orElseThrow();
    return Files.exists(parameters)
        ? new Model(name, program, parameters, feeds)
        : Model.withRandomParameters(name, program, feeds);
  }

  private static Path corpus() {
    String folder = System.getenv("SUBLET_CORPUS");
    return Path.of(folder == null ? "" : folder, "paddle");
  }
}
