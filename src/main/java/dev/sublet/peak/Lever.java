package dev.sublet.peak;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A change that makes the arena smaller.
 *
 * @param change the change, in words or as an option
 * @param price what it costs; empty if it costs nothing
 * @param flops the operations on floating-point numbers that the change adds to a run; empty if it
 *     is no second computation, or the number is not known
 * @param arenaBytes the bytes of all arenas of a proved plan with the change
 * @param form the program with the change, or how the user makes the change
 */
public record Lever(
    String change, String price, OptionalLong flops, long arenaBytes, ChangeForm form) {

  /** The same change; it adds these operations, unless the number is negative. */
  Lever withFlops(long added) {
    return added < 0 ? this : new Lever(change, price, OptionalLong.of(added), arenaBytes, form);
  }

  /** The program with the change; empty if the change is one of options. */
  public Optional<ProgramVersion> program() {
    return form.program();
  }
}
