package dev.sublet.testing.damage;

import java.util.SplittableRandom;
import java.util.function.Predicate;

/** A form that files have, such as JSON or a protobuf message, and what can go wrong with it. */
public interface Damage {

  /** One change; the same bytes if they have not this form. */
  byte[] apply(byte[] bytes, SplittableRandom random);

  /**
   * Fewer parts of the same bytes that still fail; the same bytes if they have not this form.
   *
   * @param search how parts are left out, and how often that is tried
   * @param fails whether bytes still show the fault
   */
  byte[] reduce(byte[] bytes, DeltaDebugging search, Predicate<byte[]> fails);
}
