package dev.sublet.testing.damage;

import com.google.common.primitives.Bytes;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Bytes without a form: flipped, lost, repeated, cut off, numbers among them. */
public final class ByteDamage implements Damage {

  @Override
  public byte[] apply(byte[] bytes, SplittableRandom random) {
    if (bytes.length == 0) {
      return new byte[] {(byte) random.nextInt(256)};
    }
    int at = random.nextInt(bytes.length);
    int end = Math.min(bytes.length, at + 1 + random.nextInt(16));
    return switch (random.nextInt(7)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> withNumber(bytes, at, OddValues.integer(random), random.nextBoolean() ? 4 : 8);
      case 2 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, end));
      case 3 -> spliced(bytes, at, end, new byte[0]);
      case 4 -> spliced(bytes, at, at, new byte[] {(byte) random.nextInt(256)});
      case 5 -> changed(bytes, at, (byte) (bytes[at] ^ (1 << random.nextInt(8))));
      default -> changed(bytes, at, (byte) random.nextInt(256));
    };
  }

  private static byte[] changed(byte[] bytes, int at, byte value) {
    byte[] changed = bytes.clone();
    changed[at] = value;
    return changed;
  }

  /** The least significant byte first, as in all binary forms here. */
  private static byte[] withNumber(byte[] bytes, int at, long value, int width) {
    byte[] changed = bytes.clone();
    for (int i = 0; i < width && at + i < bytes.length; i++) {
      changed[at + i] = (byte) (value >> (8 * i));
    }
    return changed;
  }

  private static byte[] spliced(byte[] bytes, int begin, int end, byte[] between) {
    return Bytes.concat(
        Arrays.copyOf(bytes, begin), between, Arrays.copyOfRange(bytes, end, bytes.length));
  }

  @Override
  public byte[] reduce(byte[] bytes, DeltaDebugging search, Predicate<byte[]> fails) {
    return Bytes.toArray(
        search.minimize(Bytes.asList(bytes), kept -> fails.test(Bytes.toArray(kept))));
  }
}
