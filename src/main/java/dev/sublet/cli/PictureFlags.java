package dev.sublet.cli;

import dev.sublet.diag.ProgramException;
import dev.sublet.picture.Picture;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Where pictures of the result go. */
final class PictureFlags {

  @Option(
      names = "--report",
      paramLabel = "R",
      description =
          "Also draw the memory before and after: .html is a page to explore, .svg a picture for"
              + " documents. Repeatable."
              + " Default: none. Example: --report memory.html --report memory.svg.")
  private List<String> reports = new ArrayList<>();

  /** Whether a picture is wanted. */
  boolean isWanted() {
    return !reports.isEmpty();
  }

  /**
   * Looks at where they go, before anything is done.
   *
   * @throws ProgramException if one of them is not the name of a picture
   */
  void check() {
    reports.forEach(PictureForm::of);
  }

  /** Prepares the pictures, if any are wanted. */
  void stage(Supplier<Picture> picture, Outputs outputs) {
    if (isWanted()) {
      Picture drawn = picture.get();
      for (String report : reports) {
        outputs.stage(report, PictureForm.of(report).toBytes(drawn));
      }
    }
  }
}
