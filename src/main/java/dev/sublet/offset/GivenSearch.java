package dev.sublet.offset;

import dev.sublet.diag.ProgramException;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.PlannerOptions;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The budget of a search with the values that a user gave, right or wrong.
 *
 * <p>Example: {@code --effort high --gap 1%} is the preset of {@code high} with another gap.
 *
 * @param preset the budget of the effort that was asked for
 * @param nodes how many nodes a search may visit, instead of the preset
 * @param gap the percentage of the lower bound at which a search stops, instead of the preset
 * @param timeoutMillis how long a search may take; 0 for no limit
 * @param bufferOrder the order in which some planners take the buffers
 */
public record GivenSearch(
    PlannerOptions preset,
    OptionalLong nodes,
    Optional<BigDecimal> gap,
    long timeoutMillis,
    BufferOrder bufferOrder) {

  /** The greatest number of milliseconds whose nanoseconds fit 63 bits: 292 years. */
  private static final long MAX_TIMEOUT_MILLIS = Long.MAX_VALUE / 1_000_000;

  /**
   * Returns the budget if it is valid.
   *
   * @param names the names of the options in messages
   * @throws ProgramException of kind USAGE that names the first invalid option
   */
  public PlannerOptions checked(OptionNames names) {
    long most = nodes.orElse(preset.nodes());
    GivenOptions.checkRange(names.of("nodes"), most, 0, Long.MAX_VALUE);
    GivenOptions.checkRange(names.of("timeout_ms"), timeoutMillis, 0, MAX_TIMEOUT_MILLIS);
    return new PlannerOptions(
        most, timeoutMillis, gap.map(Gap::new).orElse(preset.gap()), bufferOrder);
  }
}
