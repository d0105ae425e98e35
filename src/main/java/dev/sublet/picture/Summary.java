package dev.sublet.picture;

import dev.sublet.diag.ByteText;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.plan.Unplanned;
import java.util.Locale;

/** The texts that summarize a picture, and the round numbers of its scales. */
final class Summary {

  private Summary() {}

  /** Returns a summary of both stages in one line. */
  static String line(Picture picture) {
    long before = picture.before().bytes();
    long after = picture.after().bytes();
    String line =
        String.format(
            Locale.ROOT,
            "%s → %s: %s of before",
            ByteText.rounded(before),
            ByteText.rounded(after),
            Labels.percent(after, before));
    long bound = picture.after().lowerBound();
    if (bound > 0) {
      line +=
          after == bound
              ? ". No plan is smaller"
              : String.format(Locale.ROOT, ". Lower bound %s", ByteText.rounded(bound));
    }
    return line + "." + unknown(picture);
  }

  /**
   * Returns a sentence with the number of variables that are not drawn because their size is
   * unknown; empty if there are none.
   */
  private static String unknown(Picture picture) {
    long count =
        picture.variables().stream()
            .filter(
                variable ->
                    variable.notes().startsWith(PlanScene.NOT_PLANNED + Unplanned.SIZE_UNKNOWN))
            .count();
    return count == 0
        ? ""
        : String.format(Locale.ROOT, " Not drawn, for want of a size: %,d names.", count);
  }

  /** Returns a description of the picture for readers who cannot see it. */
  static String description(Picture picture) {
    return "Time goes from left to right over "
        + steps(picture)
        + ", bytes go upwards; before and after have "
        + (SvgPicture.hasOneScale(picture) ? "one scale. " : "a scale each. ")
        + picture.before().meaning()
        + " "
        + picture.after().meaning()
        + " "
        + line(picture)
        + " "
        + "Peak"
        + peak(picture)
        + ".";
  }

  /** Returns the number of operators or times, with the unit. */
  static String steps(Picture picture) {
    String unit = picture.axis().pointsPerStep() == 1 ? " times" : " operators";
    return picture.axis().count() + unit;
  }

  /** Returns the size and the time of the peak of the live bytes, after a colon. */
  static String peak(Picture picture) {
    Curve live = picture.live();
    int peak = live.peak();
    return live.bytes().isEmpty() || live.bytes().get(peak) == 0
        ? ": none"
        : ": "
            + ByteText.rounded(live.bytes().get(peak))
            + ", at "
            + picture.axis().describe(live.points().get(peak));
  }

  /** Returns the legend of the dashed line in the curve of live bytes; empty if there is none. */
  static String bound(Picture picture) {
    long bound = picture.after().lowerBound();
    return bound > 0 ? "; dashed: lower bound " + ByteText.rounded(bound) : "";
  }

  /** Returns the bytes of the arenas that exist once per iteration; empty if there are none. */
  static String steps(PictureStage stage) {
    StringBuilder words = new StringBuilder();
    for (ArenaBand arena : stage.arenas()) {
      if (arena.isStep()) {
        words.append(", and ").append(ByteText.rounded(arena.bytes())).append(" per iteration");
      }
    }
    return words.toString();
  }

  /** Returns the note next to the headline of a stage. */
  static String note(PictureStage stage) {
    if (stage.held()) {
      return "each variable has its own bytes; hatched: held until the end, but dead";
    }
    boolean moves = stage.boxes().stream().anyMatch(box -> box.views().isPresent());
    return moves
        ? "bytes of dead variables are reused; dashed: moved by loops, here before they iterate"
        : "bytes of dead variables are reused";
  }

  /** Returns the meaning of the colors, as a sentence. */
  static String colors(Picture picture) {
    for (int i = 0; i < picture.variables().size(); i++) {
      if (picture.variables().get(i).holder() != i) {
        return "Variables that share a name have one color.";
      }
    }
    return "Colors tell variables apart.";
  }

  /** Returns the least power of two that is not below the given number. */
  static double roundStep(double atLeast) {
    double step = 1;
    while (step < atLeast) {
      step *= 2;
    }
    return step;
  }

  /** Returns the least of 1, 2, 5, 10, 20, … that is not below the given number. */
  static double roundDecimal(double atLeast) {
    double step = 1;
    while (true) {
      for (int factor : new int[] {1, 2, 5}) {
        if (step * factor >= atLeast) {
          return step * factor;
        }
      }
      step *= 10;
    }
  }
}
