package dev.sublet;

/** The stages of {@link Transpiler}, in order. A run may repeat or skip some of them. */
public enum Stage {
  /** Shapes, the control-flow graph, live ranges. */
  ANALYSIS("analyzing"),
  /** The removal of loop-carried copies. */
  LOOPS("looking at loops"),
  /** The grouping of variables that get one name. */
  SHARING("sharing names"),
  /** Offsets in arenas. */
  PLANNING("planning offsets"),
  /** The validators. */
  PROOF("proving");

  private final String description;

  Stage(String description) {
    this.description = description;
  }

  /** The activity of the stage, as a phrase for messages. */
  public String description() {
    return description;
  }
}
