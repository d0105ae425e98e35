package dev.sublet.runtime.micro.emit;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.sublet.runtime.micro.emit.NestCut.Dimension;
import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.LoopGroup;

/** The C code of a {@link ProductTile} while it is written: lines, loops, indices. */
final class TileCode {

  private final CScope scope;
  private final ProductTile tile;
  private final NestCut cut;
  private final CBlock block;
  private final StringBuilder code;

  TileCode(CScope scope, NestCut cut, CBlock block, StringBuilder code) {
    this.scope = scope;
    this.tile = cut.product();
    this.cut = cut;
    this.block = block;
    this.code = code;
  }

  /** Appends a line. */
  @FormatMethod
  void line(int depth, @FormatString String format, Object... parts) {
    code.append("  ".repeat(depth + 1)).append(String.format(format, parts)).append('\n');
  }

  /** Returns a call of a helper function. */
  String call(CHelper helper, String... operands) {
    return scope.call(helper, operands);
  }

  /** Returns a macro that a helper defines. */
  String macro(CHelper helper, String name) {
    return scope.macro(helper, name);
  }

  /** Returns the identifier of a tensor. */
  String tensor(String name) {
    return scope.tensor(name);
  }

  /** Opens the loops of a group; returns the depth inside. */
  int open(LoopGroup group, int depth) {
    return open(group, depth, "0", String.valueOf(group.loops() == 0 ? 0 : group.extent(0)));
  }

  /**
   * Opens the loops of a group.
   *
   * @param begin the first index of the outermost loop
   * @param end its end
   * @return the depth inside
   */
  int open(LoopGroup group, int depth, String begin, String end) {
    if (group.loops() > 0) {
      line(depth, "%s", cut.loop(group.depth(0), index(group.depth(0)), begin, end));
    }
    for (int i = 1; i < group.loops(); i++) {
      open(group.depth(i), group.extent(i), depth + i);
    }
    return depth + group.loops();
  }

  /** Opens a loop of the nest. */
  void open(int loop, long extent, int depth) {
    line(depth, "%s", cut.loop(loop, index(loop), "0", String.valueOf(extent)));
  }

  /**
   * Opens a loop over a dimension, or over the share that a part has of it.
   *
   * @return the expression for the end of the loop
   */
  String open(int depth, Dimension dimension, Steps steps) {
    String begin = "0";
    String end = String.valueOf(steps.count());
    if (cut.dimension() == dimension) {
      begin = cut.begin(steps.pieces(), steps.size());
      line(
          depth,
          "const int64_t %s_end = %s;",
          steps.index(),
          cut.end(steps.pieces(), steps.size(), steps.count()));
      end = steps.index() + "_end";
    }
    line(
        depth,
        "for (int64_t %s = %s; %s < %s; %s += %s) {",
        steps.index(),
        begin,
        steps.index(),
        end,
        steps.index(),
        steps.step());
    return end;
  }

  /**
   * A loop over a dimension.
   *
   * @param index the name of its index
   * @param count its end
   * @param step the expression for its step
   * @param pieces the expression for the number of pieces that parts share
   * @param size the expression for the extent of a piece
   */
  record Steps(String index, long count, String step, String pieces, String size) {

    /** Returns a loop whose pieces are its steps. */
    static Steps of(String index, long count, long step) {
      String size = String.valueOf(step);
      return new Steps(index, count, size, String.valueOf(NestCut.ceil(count, step)), size);
    }
  }

  /** Closes the loops that were opened between two depths. */
  void close(int from, int to) {
    for (int depth = to - 1; depth >= from; depth--) {
      line(depth, "}");
    }
  }

  /** Returns the identifier of the index of a loop. */
  String index(int loop) {
    return "i" + tile.nest().loop(loop).id();
  }

  /** Defines the index of a loop, which perhaps nothing uses. */
  void define(int depth, int loop, String value) {
    line(depth, "const int64_t %s = %s;", index(loop), value);
    line(depth, "(void)%s;", index(loop));
  }

  /** Defines the pointer to the factors of the first row. */
  void factors(int depth) {
    Affine place = tile.form().factor().place(tile.nest());
    Affine fixed = tile.form().rows().without(tile.form().points().without(place));
    line(
        depth,
        "const float *const factors = %s + %s;",
        tensor(tile.form().factor().access().tensor()),
        text(fixed));
  }

  /** Writes the statements that use a sum. */
  void statements(int depth, String sum) {
    line(depth, "const float c%s = %s;", tile.form().sum(), sum);
    block.statements(tile.form().depth(), depth);
  }

  /** Returns an affine form. */
  String text(Affine affine) {
    return text(affine, -1);
  }

  /** Returns an affine form without the term of a loop. */
  String text(Affine affine, int without) {
    StringBuilder text = new StringBuilder(number(affine.constant()));
    for (int depth = 0; depth < tile.nest().loops(); depth++) {
      long factor = affine.coefficient(depth);
      if (factor != 0 && depth != without) {
        text.append(" + ").append(number(factor)).append(" * ").append(index(depth));
      }
    }
    return text.toString();
  }

  /** Returns a number. */
  static String number(long value) {
    String text = Math.abs(value) <= 1000 ? Long.toString(value) : "INT64_C(" + value + ")";
    return value < 0 ? "(" + text + ")" : text;
  }
}
