package dev.sublet.runtime.micro.emit;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.LoopGroup;

/** The C code of a {@link ProductTile} while it is written: lines, loops, indices. */
final class TileCode {

  private final CScope scope;
  private final ProductTile tile;
  private final CBlock block;
  private final StringBuilder code;

  TileCode(CScope scope, ProductTile tile, CBlock block, StringBuilder code) {
    this.scope = scope;
    this.tile = tile;
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
    for (int i = 0; i < group.loops(); i++) {
      open(group.depth(i), group.extent(i), depth + i);
    }
    return depth + group.loops();
  }

  /** Opens a loop of the nest. */
  void open(int loop, long extent, int depth) {
    String index = index(loop);
    line(depth, "for (int64_t %s = 0; %s < %s; %s++) {", index, index, extent, index);
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
