package dev.sublet.cli;

import dev.sublet.diag.ProgramException;
import dev.sublet.picture.Picture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a picture of the result goes. */
final class PictureFlags {

  @Option(
      names = "--report",
      paramLabel = "R",
      description =
          "Also draw the memory before and after: .html is a page to explore, .svg a picture for"
              + " documents. Default: none. Example: --report memory.html.")
  private @Nullable String report;

  /** Whether a picture is wanted. */
  boolean isWanted() {
    return report != null;
  }

  /**
   * Looks at where it goes, before anything is done.
   *
   * @throws ProgramException if that is not the name of a picture
   */
  void check() {
    if (report != null) {
      PictureForm.of(report);
    }
  }

  /** Prepares the picture, if it is wanted. */
  void stage(Supplier<Picture> picture, Outputs outputs) {
    if (report != null) {
      outputs.stage(report, PictureForm.of(report).toBytes(picture.get()));
    }
  }
}
