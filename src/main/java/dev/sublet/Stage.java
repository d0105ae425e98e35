package dev.sublet;

/** What {@link Transpiler} does one after the other; some stages may come again, or not at all. */
public enum Stage {
  /** Shapes, the control-flow graph, live ranges. */
  ANALYSIS("analyzing"),
  /** What loops hand to their next iteration. */
  LOOPS("looking at loops"),
  /** Groups of variables that get one name. */
  SHARING("sharing names"),
  /** Offsets in arenas. */
  PLANNING("planning offsets"),
  /** The validators. */
  PROOF("proving");

  private final String description;

  Stage(String description) {
    this.description = description;
  }

  /** What is being done, as a phrase for people. */
  public String description() {
    return description;
  }
}
