package dev.sublet.peak;

import dev.sublet.program.SourceLine;
import dev.sublet.program.Variable;
import java.util.Optional;

/**
 * A tensor that is in use at the peak.
 *
 * @param variable its variable
 * @param bytes its bytes
 * @param kind what it is for
 * @param writtenBy the operator that makes it; empty for a feed
 * @param lastReadBy the last operator that reads it; empty if it is kept until the program ends
 * @param source the line of the user's code that made the writer
 * @param without the bytes at the peak if this tensor took no memory
 */
public record PeakTensor(
    Variable variable,
    long bytes,
    Kind kind,
    Optional<String> writtenBy,
    Optional<String> lastReadBy,
    Optional<SourceLine> source,
    long without) {

  /** What a tensor is for. The first one that fits counts. */
  public enum Kind {
    /** A feed. */
    FEED("feed"),
    /** A result of the program. */
    RESULT("result"),
    /** A gradient. */
    GRADIENT("gradient"),
    /** The elements of a tensor array. */
    ARRAY("array"),
    /** A value that a loop hands to its next iteration. */
    CARRIED("loop-carried"),
    /**
     * The workspace of an in-place group, of values that are computed one after the other in the
     * same bytes: a value that only the next operator reads, which overwrites it.
     */
    WORKSPACE("in-place workspace"),
    /** An output that nothing reads. */
    UNREAD("never read"),
    /** Any other value. */
    ACTIVATION("activation");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The name in reports. */
    public String word() {
      return word;
    }
  }
}
