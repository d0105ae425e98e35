package dev.sublet.operator.spec;

/** What an operator does with the sequence information (LoD) of its inputs. */
public enum LodRule {
  /** The outputs may carry the LoD of any input. */
  PASSES,
  /** The outputs carry LoD, whatever the inputs carry. */
  PRODUCES,
  /** The outputs carry none, whatever the inputs carry. */
  CLEARS
}
