package dev.sublet.picture;

import dev.sublet.diag.ByteText;
import dev.sublet.picture.Picture.ArenaBand;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws one stage of an SVG picture: its arenas above each other, byte 0 at the bottom. Boxes of
 * about a pixel or less are drawn together as cells of a raster, so that the area of the picture
 * and not the number of boxes bounds the size of the file.
 */
final class SvgStage {

  /** Pixels between two arenas. */
  static final double GAP = 8;

  private static final double SMALLEST = 1.2;

  /** The height from which held bytes are hatched; lower ones are flat. */
  private static final double SMALLEST_HATCH = 6;

  private final Picture picture;
  private final PictureStage stage;
  private final double left;
  private final double bottom;
  private final double perPoint;
  private final double perByte;
  private final double[] bases;
  private final CellRaster dust;

  /**
   * Creates the drawing of a stage at a position.
   *
   * @param left the x coordinate of point 0
   * @param bottom the y coordinate of byte 0 of the first arena
   * @param perPoint the number of pixels per point
   * @param perByte the number of pixels per byte
   */
  SvgStage(
      Picture picture,
      PictureStage stage,
      double left,
      double bottom,
      double perPoint,
      double perByte) {
    this.picture = picture;
    this.stage = stage;
    this.left = left;
    this.bottom = bottom;
    this.perPoint = perPoint;
    this.perByte = perByte;
    this.bases = new double[stage.arenas().size()];
    for (int i = 1; i < bases.length; i++) {
      bases[i] = bases[i - 1] + stage.arenas().get(i - 1).bytes() * perByte + GAP;
    }
    this.dust = new CellRaster(picture.axis().endPoint() * perPoint, height(stage, perByte));
  }

  /** Returns the height of a stage in pixels. */
  static double height(PictureStage stage, double perByte) {
    double height = Math.max(0, stage.arenas().size() - 1) * GAP;
    for (ArenaBand arena : stage.arenas()) {
      height += arena.bytes() * perByte;
    }
    return height;
  }

  /** Adds the stage to a picture. */
  void draw(SvgText svg) {
    double width = picture.axis().endPoint() * perPoint;
    for (int i = 0; i < bases.length; i++) {
      double height = stage.arenas().get(i).bytes() * perByte;
      svg.rect(left, bottom - bases[i] - height, width, height, "free", "");
    }
    List<Box> large = new ArrayList<>();
    for (Box box : stage.boxes()) {
      if (isLarge(box)) {
        large.add(box);
        scatter(box, box.pieces().stream().filter(this::isNarrow).toList());
      } else {
        if (stage.held()) {
          double low = bases[box.arena()] + box.offset() * perByte;
          dust.hold(box.begin() * perPoint, low, low + box.bytes() * perByte);
        }
        scatter(box, box.pieces());
      }
    }
    dust.draw(svg, left, bottom);
    for (Box box : large) {
      draw(box, svg);
    }
    for (int i = 0; i < bases.length; i++) {
      double height = stage.arenas().get(i).bytes() * perByte;
      svg.rect(left, bottom - bases[i] - height, width, height, "frame", "");
    }
  }

  private boolean isLarge(Box box) {
    return box.bytes() * perByte >= SMALLEST && (end(box) - box.begin()) * perPoint >= SMALLEST;
  }

  private int end(Box box) {
    return stage.held()
        ? picture.axis().endPoint()
        : box.pieces().get(box.pieces().size() - 1).end();
  }

  /** Whether a piece of a large box is too narrow to be drawn by itself. */
  private boolean isNarrow(Piece piece) {
    return !stage.held() && (piece.end() - piece.begin()) * perPoint < SMALLEST;
  }

  private void scatter(Box box, List<Piece> pieces) {
    double low = bases[box.arena()] + box.offset() * perByte;
    for (Piece piece : pieces) {
      dust.add(
          piece.begin() * perPoint,
          piece.end() * perPoint,
          low + piece.low() * perByte,
          low + piece.high() * perByte,
          color(box));
    }
  }

  private void draw(Box box, SvgText svg) {
    double top = bottom - bases[box.arena()] - (box.offset() + box.bytes()) * perByte;
    double height = box.bytes() * perByte;
    String color = "c" + color(box);
    if (stage.held()) {
      double begin = left + box.begin() * perPoint;
      double width = (end(box) - box.begin()) * perPoint;
      svg.rect(begin, top, width, height, "held " + color, words(box, box.variable()));
      if (height >= SMALLEST_HATCH) {
        svg.rect(begin, top, width, height, "hatch", "");
      }
    }
    String moved = box.views().isPresent() ? " moved" : "";
    for (Piece piece : box.pieces()) {
      if (!isNarrow(piece)) {
        svg.rect(
            left + piece.begin() * perPoint,
            top + (box.bytes() - piece.high()) * perByte,
            (piece.end() - piece.begin()) * perPoint,
            (piece.high() - piece.low()) * perByte,
            "box " + color + moved,
            words(box, piece.variable()));
      }
    }
    label(box, top, svg);
  }

  /**
   * Writes the name of each variable into the first of its pieces that has room. If held bytes are
   * drawn too, the name may continue into them.
   */
  private void label(Box box, double top, SvgText svg) {
    int named = -1;
    for (Piece piece : box.pieces()) {
      int end = stage.held() ? end(box) : piece.end();
      double height = (piece.high() - piece.low()) * perByte;
      double width = (end - piece.begin()) * perPoint;
      String fitting = SvgText.fitting(name(piece.variable()), width - 6);
      if (piece.variable() != named && height >= 11 && !fitting.isEmpty()) {
        double middle = top + (box.bytes() - piece.high()) * perByte + height / 2;
        svg.words(left + piece.begin() * perPoint + 3, middle + 3.5, fitting, "name");
        named = piece.variable();
      }
      if (stage.held()) {
        return;
      }
    }
  }

  private String name(int variable) {
    return picture.variables().get(variable).name();
  }

  /** What a box says about one of its variables. */
  private String words(Box box, int variable) {
    List<Piece> own = box.pieces().stream().filter(p -> p.variable() == variable).toList();
    return name(variable)
        + (variable == box.variable() ? "" : ", as " + name(box.variable()))
        + ": "
        + ByteText.inWords(box.bytes())
        + " at offset "
        + ByteText.count(box.offset())
        + ", "
        + picture.axis().describe(own.get(0).begin())
        + " to "
        + picture.axis().describe(own.get(own.size() - 1).end() - 1);
  }

  /** The color of a box. Variables with the same name in the stage after have the same color. */
  private int color(Box box) {
    return picture.variables().get(box.variable()).holder() % CellRaster.COLORS;
  }
}
