package dev.sublet.runtime.kernel;

/**
 * The translation of an operator to micro ops.
 *
 * <p>A lowering reads attributes and shapes from the call, gets the inputs as values of a graph,
 * and declares the values that are the outputs. All extents are known numbers.
 */
public interface Lowering {

  /**
   * Adds the operator's micro ops to the call's graph.
   *
   * @throws OperatorException if shapes, types or attributes do not fit
   */
  void lower(LoweringCall call);
}
