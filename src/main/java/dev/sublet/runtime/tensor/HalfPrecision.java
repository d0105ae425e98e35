package dev.sublet.runtime.tensor;

/**
 * Conversion between single precision and the two floating-point formats of 16 bits. Numbers are
 * rounded to the nearest number of the format, ties to the one with an even mantissa.
 *
 * <pre>{@code
 * FLOAT16    1 bit sign, 5 bits exponent, 10 bits mantissa; IEEE 754 binary16
 * BFLOAT16   1 bit sign, 8 bits exponent, 7 bits mantissa; the upper half of a single
 * }</pre>
 */
public final class HalfPrecision {

  private static final int SIGN = 0x8000;

  /** The bits of infinity; a number with this exponent and a mantissa is no number. */
  private static final int INFINITY = 0x7c00;

  private static final int NOT_A_NUMBER = 0x7e00;

  /** The difference of the biases of the exponents of single and half precision. */
  private static final int BIAS = 127 - 15;

  private HalfPrecision() {}

  /** Returns the number with the bits of a FLOAT16; exact. O(1). */
  public static float ofFloat16(short bits) {
    int exponent = (bits >> 10) & 31;
    int mantissa = bits & 0x3ff;
    float magnitude;
    if (exponent == 31) {
      magnitude = mantissa == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else if (exponent == 0) {
      magnitude = mantissa * 0x1p-24f;
    } else {
      magnitude = Float.intBitsToFloat(((exponent + BIAS) << 23) | (mantissa << 13));
    }
    return bits < 0 ? -magnitude : magnitude;
  }

  /** Returns the bits of the FLOAT16 that is nearest to a number. O(1). */
  public static short toFloat16(float number) {
    int bits = Float.floatToRawIntBits(number);
    int sign = (bits >> 16) & SIGN;
    float magnitude = Math.abs(number);
    if (Float.isNaN(number)) {
      return (short) (sign | NOT_A_NUMBER);
    }
    // The least number that is nearer to 2^16 than to the greatest FLOAT16, 65504.
    if (magnitude >= 65520f) {
      return (short) (sign | INFINITY);
    }
    // Below 2^-14, FLOAT16 numbers are the multiples of 2^-24: this addition rounds to one of them.
    if (magnitude < 0x1p-14f) {
      return (short) (sign | (Float.floatToRawIntBits(magnitude + 0.5f) - 0x3f000000));
    }
    int rounded = (bits & 0x7fffffff) + 0xfff + ((bits >> 13) & 1);
    return (short) (sign | ((rounded >> 13) - (BIAS << 10)));
  }

  /** Returns the number with the bits of a BFLOAT16; exact. O(1). */
  public static float ofBfloat16(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /** Returns the bits of the BFLOAT16 that is nearest to a number. O(1). */
  public static short toBfloat16(float number) {
    if (Float.isNaN(number)) {
      return 0x7fc0;
    }
    int bits = Float.floatToRawIntBits(number);
    return (short) ((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
  }
}
