package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableList;
import dev.sublet.cli.argument.PictureForm;
import dev.sublet.diag.ProgramException;
import dev.sublet.picture.Picture;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for pictures of the result. */
public final class PictureFlags {

  @Option(
      names = "--report",
      paramLabel = "R",
      description =
          "Also draw the memory before and after: .html is a page to explore, .svg a "
              + "picture for documents. Repeatable. Default: none. Example: --report "
              + "memory.html --report memory.svg.")
  private List<String> reports = new ArrayList<>();

  /** Whether a picture is wanted. */
  public boolean isWanted() {
    return !reports.isEmpty();
  }

  /** The targets of the pictures. */
  public ImmutableList<String> targets() {
    return ImmutableList.copyOf(reports);
  }

  /**
   * Checks the targets of the pictures before the command does any work.
   *
   * @param others the targets of the run's other outputs; null stands for no output
   * @throws ProgramException if a target is not the name of a picture, or cannot be written
   */
  public void check(@Nullable String... others) {
    reports.forEach(PictureForm::of);
    List<@Nullable String> targets = new ArrayList<>(Arrays.asList(others));
    targets.addAll(reports);
    Outputs.check(targets);
  }

  /** Stages the pictures, if any are wanted. */
  public void stage(Supplier<Picture> picture, Outputs outputs) {
    if (isWanted()) {
      Picture drawn = picture.get();
      for (String report : reports) {
        outputs.stage(report, PictureForm.of(report).toBytes(drawn));
      }
    }
  }
}
