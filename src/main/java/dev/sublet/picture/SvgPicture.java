package dev.sublet.picture;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.ByteText;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.TimeAxis.AxisStep;
import dev.sublet.picture.TimeAxis.Presence;
import dev.sublet.picture.TimeAxis.Span;
import java.nio.charset.StandardCharsets;

/**
 * Writes a picture as SVG, for documents. From top to bottom it shows both stages, on one byte
 * scale unless the plan would be too low to be seen, the live bytes, and the operators. Colors
 * follow the reader's preference for light or dark. The file has at most a few hundred kilobytes
 * for any number of boxes. O(boxes).
 */
public final class SvgPicture {

  private static final double WIDTH = 960;
  private static final double LEFT = 78;
  private static final double RIGHT = 14;

  /** The total height of both stages, in pixels. */
  private static final double BYTES_HEIGHT = 430;

  /**
   * If the plan would get less than one part in so many of the height, it gets all other parts, and
   * the stage before this one, each with a scale of its own.
   */
  private static final double LEAST_SHARE = 4;

  private static final double CURVE_HEIGHT = 64;

  /** The height above the curve for the marker of the peak. */
  private static final double MARKER = 8;

  private static final double SPAN_HEIGHT = 15;

  private final Picture picture;
  private final TimeAxis axis;
  private final SvgText svg = new SvgText();
  private final double perPoint;
  private final double perByteBefore;
  private final double perByteAfter;

  private SvgPicture(Picture picture) {
    this.picture = picture;
    this.axis = picture.axis();
    this.perPoint = (WIDTH - LEFT - RIGHT) / Math.max(1, axis.endPoint());
    double before = Math.max(1, allBytes(picture.before()));
    double after = Math.max(1, allBytes(picture.after()));
    if (picture.comparison().isPresent() || after * LEAST_SHARE >= before + after) {
      this.perByteBefore = BYTES_HEIGHT / (before + after);
      this.perByteAfter = perByteBefore;
    } else {
      this.perByteBefore = BYTES_HEIGHT / LEAST_SHARE / before;
      this.perByteAfter = BYTES_HEIGHT * (LEAST_SHARE - 1) / LEAST_SHARE / after;
    }
  }

  /** Returns a complete SVG file. */
  public static byte[] toBytes(Picture picture) {
    String text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + new SvgPicture(picture).draw(Resource.read("picture.svg.css"));
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether both stages of a picture have one scale of bytes. */
  static boolean hasOneScale(Picture picture) {
    SvgPicture drawn = new SvgPicture(picture);
    return drawn.perByteBefore == drawn.perByteAfter;
  }

  /** Returns an SVG element for a page that contains the style sheet. */
  static String element(Picture picture) {
    return new SvgPicture(picture).draw("");
  }

  private static double allBytes(PictureStage stage) {
    return stage.arenas().stream().mapToDouble(Picture.ArenaBand::bytes).sum();
  }

  private String draw(String style) {
    double y = 24;
    svg.words(LEFT, y, SvgText.fitting(picture.title(), (WIDTH - LEFT - RIGHT) / 1.5), "title");
    y += 18;
    svg.words(LEFT, y, Summary.line(picture) + " " + Summary.colors(picture), "small");
    y = drawStage(picture.nameBefore(), picture.before(), perByteBefore, y + 26);
    y = drawStage(picture.nameAfter(), picture.after(), perByteAfter, y + 28);
    y = drawCurve(y + 28);
    y = drawAxis(y);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
        + SvgText.number(WIDTH)
        + " "
        + SvgText.number(y + 10)
        + "\" role=\"img\" aria-labelledby=\"picture-title picture-desc\" class=\"sublet\">\n"
        + "<title id=\"picture-title\">"
        + SvgText.escape("Memory of " + picture.title())
        + "</title>\n<desc id=\"picture-desc\">"
        + SvgText.escape(Summary.description(picture))
        + "</desc>\n"
        + (style.isEmpty() ? "" : "<style>\n" + style + "</style>\n")
        + "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\""
        + " patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" class=\"stroke\"/></pattern></defs>\n"
        + "<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n"
        + svg
        + "</svg>\n";
  }

  /** Draws a stage under its headline. Returns the y coordinate at which it ends. */
  private double drawStage(String headline, PictureStage stage, double perByte, double y) {
    String title = SvgText.fitting(headline, 280);
    svg.words(LEFT, y, title, "headline");
    svg.words(
        LEFT + Math.max(72, 8 * title.length()),
        y,
        ByteText.inWords(stage.bytes()) + Summary.steps(stage),
        "small strong");
    String scale = perByteBefore == perByteAfter ? "" : "own scale; ";
    svg.words(WIDTH - RIGHT, y, SvgText.fitting(scale + Summary.note(stage), 560), "small end");
    double height = SvgStage.height(stage, perByte);
    double bottom = y + 8 + height;
    new SvgStage(picture, stage, LEFT, bottom, perPoint, perByte).draw(svg);
    if (stage.arenas().size() == 1) {
      scale(bottom, allBytes(stage), perByte);
    } else {
      nameArenas(stage, bottom, perByte);
    }
    return bottom;
  }

  /** Writes the name of each arena next to it, or into it if the name is long and there is room. */
  private void nameArenas(PictureStage stage, double bottom, double perByte) {
    double base = bottom;
    for (Picture.ArenaBand arena : stage.arenas()) {
      double height = arena.bytes() * perByte;
      if (arena.label().length() * SvgText.CHARACTER > LEFT - 6 && height >= 14) {
        svg.words(WIDTH - RIGHT - 4, base - height + 11, arena.label(), "small end");
      } else {
        String fitting = SvgText.fitting(arena.label(), LEFT - 6);
        svg.words(LEFT - 5, base - height / 2 + 3, fitting, "small end");
      }
      base -= height + SvgStage.GAP;
    }
  }

  /** Draws the byte scale of an axis, with ticks at round distances. */
  private void scale(double bottom, double bytes, double pixelsPerByte) {
    double step = Summary.roundStep(34 / pixelsPerByte);
    for (double at = 0; at <= bytes; at += step) {
      double y = bottom - at * pixelsPerByte;
      svg.line(LEFT - 4, y, LEFT, y, "tick");
      svg.words(LEFT - 6, y + 3, ByteText.rounded((long) at), "small end");
    }
  }

  private double drawCurve(double y) {
    Curve live = picture.live();
    int peak = live.peak();
    long most = live.bytes().isEmpty() ? 0 : live.bytes().get(peak);
    long bound = picture.after().lowerBound();
    double bottom = y + 8 + CURVE_HEIGHT;
    double pixels = (CURVE_HEIGHT - MARKER) / Math.max(1, Math.max(most, bound));
    svg.words(LEFT, y, "Live", "headline");
    svg.words(LEFT + 72, y, "peak" + Summary.peak(picture) + Summary.bound(picture), "small");
    StringBuilder path =
        new StringBuilder("M" + SvgText.number(LEFT) + " " + SvgText.number(bottom));
    double lastX = -1;
    double top = 0;
    for (int i = 0; i < live.points().length(); i++) {
      double x = live.points().get(i) * perPoint;
      double height = live.bytes().get(i) * pixels;
      // Within half a pixel, a point is drawn only if it is higher than the points before it.
      boolean isClose = x - lastX < 0.5 && i > 0;
      if (!isClose || height > top) {
        path.append('H').append(SvgText.number(LEFT + x));
        path.append('V').append(SvgText.number(bottom - height));
        lastX = isClose ? lastX : x;
        top = height;
      }
    }
    path.append('H')
        .append(SvgText.number(WIDTH - RIGHT))
        .append('V')
        .append(SvgText.number(bottom));
    svg.path(path + "Z", "live");
    if (bound > 0) {
      double at = bottom - bound * pixels;
      svg.line(LEFT, at, WIDTH - RIGHT, at, "bound");
    }
    if (most > 0) {
      double x = LEFT + live.points().get(peak) * perPoint;
      svg.path(
          "M" + SvgText.number(x) + " " + SvgText.number(bottom - most * pixels) + "l-4 -7h8z",
          "peak");
    }
    svg.line(LEFT, bottom, WIDTH - RIGHT, bottom, "tick");
    svg.words(LEFT - 6, bottom + 3, "0 B", "small end");
    svg.words(
        LEFT - 6,
        bottom - CURVE_HEIGHT + MARKER + 3,
        ByteText.rounded(Math.max(most, bound)),
        "small end");
    return bottom;
  }

  /**
   * Draws the operators or their numbers, then the bodies of loops and branches. Returns the y
   * coordinate at which they end.
   */
  private double drawAxis(double y) {
    double perStep = perPoint * axis.pointsPerStep();
    boolean isNamed = axis.pointsPerStep() > 1 && perStep >= 9;
    double end = isNamed ? drawLabels(y + 6, perStep) : drawNumbers(y + 6, perStep);
    ImmutableList<Span> spans = axis.spans();
    int shown = Math.min(axis.depth(), 4);
    for (Span span : spans) {
      if (span.depth() < shown) {
        double x = LEFT + span.head() * perStep;
        double width = Math.max(1, (span.exit() + 1 - span.head()) * perStep);
        double top = end + 4 + span.depth() * SPAN_HEIGHT;
        String kind = span.isLoop() ? "loop" : "branch";
        String words = kind + ", block " + span.block() + " (" + span.label() + ")";
        svg.rect(x, top, width, SPAN_HEIGHT - 3, kind, words);
        svg.words(x + 3, top + 9, SvgText.fitting(words, width - 6), "small");
      }
    }
    return end + 4 + shown * SPAN_HEIGHT;
  }

  private double drawLabels(double y, double perStep) {
    int longest = 0;
    for (int i = 0; i < axis.steps().size(); i++) {
      AxisStep step = axis.steps().get(i);
      String words = step.isExit() ? "end of " + step.label() : step.label();
      String fitting = SvgText.fitting(words, 120);
      longest = Math.max(longest, fitting.codePointCount(0, fitting.length()));
      String classes = step.presence() == Presence.BOTH && !step.isSkipped() ? "" : " gone";
      svg.upwards(LEFT + (i + 0.5) * perStep + 3, y, fitting, "small end" + classes);
    }
    return y + longest * SvgText.CHARACTER;
  }

  private double drawNumbers(double y, double perStep) {
    int step = (int) Math.max(1, Summary.roundDecimal(60 / perStep));
    for (int i = 0; i < axis.steps().size(); i += step) {
      double x = LEFT + i * perStep;
      svg.line(x, y - 6, x, y - 2, "tick");
      String words = axis.pointsPerStep() == 1 ? axis.steps().get(i).label() : "#" + i;
      // There may be no room after the last step.
      svg.words(x, y + 8, SvgText.fitting(words, Math.min(58, WIDTH - x)), "small");
    }
    return y + 10;
  }
}
