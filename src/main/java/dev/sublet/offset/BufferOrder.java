package dev.sublet.offset;

/** An order in which a planner takes the buffers of a problem. */
public enum BufferOrder {
  /** The largest first, of equal ones the one that begins first. */
  SIZE,
  /** The largest product of bytes and points first. */
  AREA,
  /** The one that is live for the most points first; of equal ones the larger one. */
  DURATION,
  /** The one that begins first; of equal ones the larger one. */
  START,
  /** The one that is live together with the most others first; of equal ones the larger one. */
  CONFLICTS
}
