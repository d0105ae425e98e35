package dev.sublet.bench;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.testing.SyntheticProblems;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The planning problems that planners are compared on. */
final class PlannerProblems {

  private static final List<String> FOLDERS = List.of("minimalloc", "networks");

  private PlannerProblems() {}

  /** A problem, its name and that of the family in whose mean it counts. */
  record Named(String family, String name, PlanningProblem problem) {}

  /** The CSV files of the corpus, if there is one, and synthetic problems of each kind. */
  static List<Named> all() throws IOException {
    List<Named> problems = new ArrayList<>();
    String corpus = System.getenv("SUBLET_CORPUS");
    for (String folder : FOLDERS) {
      if (corpus == null) {
        System.err.println("SUBLET_CORPUS is not set: without the files of " + folder);
      } else {
        addFiles(problems, folder, Path.of(corpus, "planning", folder));
      }
    }
    for (int buffers : new int[] {100, 1_000, 10_000}) {
      for (int seed = 1; seed <= 2; seed++) {
        String name = "-" + buffers + "-" + seed;
        PlanningProblem guillotine = SyntheticProblems.guillotine(seed, buffers).problem();
        problems.add(new Named("guillotine", "guillotine" + name, guillotine));
        PlanningProblem pinwheel = SyntheticProblems.pinwheel(seed, buffers).problem();
        problems.add(new Named("pinwheel", "pinwheel" + name, pinwheel));
      }
    }
    for (int buffers : new int[] {1_000, 10_000, 100_000}) {
      String name = "-" + buffers;
      problems.add(new Named("chain", "chain" + name, SyntheticProblems.chain(7, buffers)));
      problems.add(
          new Named("training", "training" + name, SyntheticProblems.training(7, buffers)));
      problems.add(new Named("dag", "dag" + name, SyntheticProblems.randomDag(7, buffers)));
    }
    return problems;
  }

  private static void addFiles(List<Named> problems, String folder, Path path) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(path, "*.csv")) {
      stream.forEach(files::add);
    }
    files.sort(null);
    for (Path file : files) {
      problems.add(new Named(folder, folder + "/" + file.getFileName(), read(file)));
    }
  }

  /** Rows {@code id,lower,upper,size}, the only form that the corpus has. */
  private static PlanningProblem read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, UTF_8);
    checkState(lines.get(0).equals("id,lower,upper,size"), "header of %s", file);
    PlanningProblem.Builder builder = PlanningProblem.builder(1);
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = Splitter.on(',').splitToList(line);
      builder.addBuffer(Long.parseLong(cells.get(3)));
      builder.addInterval(Integer.parseInt(cells.get(1)), Integer.parseInt(cells.get(2)));
    }
    return builder.build();
  }
}
