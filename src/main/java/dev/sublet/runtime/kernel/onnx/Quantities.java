package dev.sublet.runtime.kernel.onnx;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Numbers that are stored as integers of 8 bits: {@code scale · (integer - zero point)}.
 *
 * <p>Source: ONNX Runtime's MLAS: all steps are in FLOAT32, a result is limited before it is
 * rounded, and halves round to the even neighbor.
 */
public final class Quantities {

  /** Adding this number to a smaller FLOAT32 number drops the fraction, rounded half to even. */
  private static final double ROUNDER = 1.5 * (1L << 23);

  /** The same for FLOAT64. */
  private static final double DOUBLE_ROUNDER = 1.5 * (1L << 52);

  private Quantities() {}

  /** Returns integers minus their zero point, as INT32. The zero point fits the integers. */
  public static MicroValue centered(Formula f, MicroValue integers, MicroValue zeroPoint) {
    return f.minus(f.as(ElementType.INT32, integers), f.as(ElementType.INT32, zeroPoint));
  }

  /** Returns the nearest integers, of halves the even one; absolute values are below 2^22. */
  public static MicroValue rounded(Formula f, MicroValue x) {
    double rounder = f.type(x) == ElementType.FLOAT32 ? ROUNDER : DOUBLE_ROUNDER;
    return f.plus(f.plus(x, rounder), -rounder);
  }

  /**
   * Returns numbers as integers of 8 bits.
   *
   * @param x the numbers, divided by the scale, in FLOAT32
   * @param zeroPoint the zero point, without axes or in the shape of x; in the type of the result
   */
  public static MicroValue stored(Formula f, MicroValue x, MicroValue zeroPoint) {
    double least = least(f.type(zeroPoint));
    MicroValue zero = f.as(ElementType.FLOAT32, zeroPoint);
    MicroValue limited = f.apply(BinaryOperator.MAXIMUM, x, f.minus(least, zero));
    limited = f.apply(BinaryOperator.MINIMUM, limited, f.minus(least + 255, zero));
    return whole(f, f.plus(rounded(f, limited), zero), f.type(zeroPoint));
  }

  /** Returns the same integers, except that halves are rounded after the zero point is added. */
  public static MicroValue storedAfterShift(Formula f, MicroValue x, MicroValue zeroPoint) {
    double least = least(f.type(zeroPoint));
    MicroValue shifted = f.plus(x, f.as(ElementType.FLOAT32, zeroPoint));
    MicroValue limited = f.apply(BinaryOperator.MAXIMUM, shifted, least);
    limited = f.apply(BinaryOperator.MINIMUM, limited, least + 255);
    return whole(f, rounded(f, limited), f.type(zeroPoint));
  }

  private static double least(ElementType type) {
    if (!type.isNarrow()) {
      throw new OperatorException("a zero point of " + type);
    }
    return type == ElementType.INT8 ? -128 : 0;
  }

  private static MicroValue whole(Formula f, MicroValue x, ElementType type) {
    return f.as(type, f.as(ElementType.INT32, x));
  }

  /**
   * Integers from 0 to 255 for the numbers of a tensor.
   *
   * @param centered the integers minus the zero point, as INT32
   * @param scale the scale, without axes
   */
  public record Dynamic(MicroValue centered, MicroValue scale) {

    /** Chooses scale and zero point by the extreme elements of a tensor. */
    public static Dynamic of(Formula f, MicroValue x) {
      int[] axes = Shapes.range(0, f.rank(x));
      MicroValue most = f.reshape(f.reduce(Reduction.MAXIMUM, x, axes));
      MicroValue least = f.reshape(f.reduce(Reduction.MINIMUM, x, axes));
      most = f.apply(BinaryOperator.MAXIMUM, most, 0.0);
      least = f.apply(BinaryOperator.MINIMUM, least, 0.0);
      MicroValue scale = f.over(f.minus(most, least), 255.0);
      MicroValue isZero = f.apply(BinaryOperator.EQUAL, scale, 0.0);
      scale = f.graph().choose(isZero, f.number(scale, 1), scale);
      MicroValue zero = rounded(f, f.minus(0, f.over(least, scale)));
      MicroValue quotients = f.over(x, scale);
      MicroValue limited = f.apply(BinaryOperator.MAXIMUM, quotients, f.minus(0, zero));
      limited = f.apply(BinaryOperator.MINIMUM, limited, f.minus(255, zero));
      return new Dynamic(f.as(ElementType.INT32, rounded(f, limited)), scale);
    }
  }
}
