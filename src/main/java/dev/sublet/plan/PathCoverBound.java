package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The guarantee of the {@code path-cover} planner for a program: an arena of at most {@code 2 · W ·
 * largest} bytes, where W is the minimum number of paths that cover every edge of the program's
 * data flow, and {@code largest} is the size of the largest tensor, padded to the alignment of the
 * arena.
 *
 * <p>Source: seed 004 (LeapMind 2021), appendix.
 *
 * @param paths W; 0 if the guarantee does not apply
 * @param bytes the guaranteed bytes of all arenas together; 0 if the guarantee does not apply
 * @param objection the reason why the guarantee does not apply; empty if it does
 */
public record PathCoverBound(int paths, long bytes, String objection) {

  /** Throws {@link IllegalArgumentException} if a number is negative. */
  public PathCoverBound {
    requireNonNull(objection, "objection");
    checkArgument(paths >= 0, "paths %s", paths);
    checkArgument(bytes >= 0, "bytes %s", bytes);
  }

  /** A guarantee that does not apply. */
  public static PathCoverBound none(String objection) {
    return new PathCoverBound(0, 0, objection);
  }

  /** Whether the program meets the conditions of the guarantee. */
  public boolean applies() {
    return objection.isEmpty();
  }
}
