package dev.sublet.operator.spec;

/** The flow of sequence information (LoD) from an operator's inputs to its outputs. */
public enum LodRule {
  /** The outputs may carry the LoD of any input. */
  PASSES,
  /** The outputs carry LoD, whatever the inputs carry. */
  PRODUCES,
  /** The outputs carry no LoD, whatever the inputs carry. */
  CLEARS
}
