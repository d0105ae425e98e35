package dev.sublet.fuzz;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.testing.damage.Damage;
import java.util.SplittableRandom;

/**
 * An undamaged command, and what can happen to its files.
 *
 * @param invocation the command
 * @param damages by the name of the file
 */
record Seed(Invocation invocation, ImmutableListMultimap<String, Damage> damages) {

  Seed {
    requireNonNull(invocation, "invocation");
    requireNonNull(damages, "damages");
  }

  /** The command with one to a few changes to its files. */
  Invocation damaged(SplittableRandom random) {
    Invocation damaged = invocation;
    if (damages.isEmpty()) {
      return damaged;
    }
    // Mostly one: more than a few changes are mostly refused for the simplest of them.
    for (boolean more = true; more; more = random.nextInt(3) == 0) {
      String file = damages.keySet().asList().get(random.nextInt(damages.keySet().size()));
      Damage damage = damages.get(file).get(random.nextInt(damages.get(file).size()));
      byte[] bytes = damage.apply(damaged.file(file), random);
      if (bytes.length < 1 << 20) {
        damaged = damaged.withFile(file, bytes);
      }
    }
    return damaged;
  }
}
