package dev.sublet.runtime.micro.op;

/**
 * A handle of a value of one graph; {@link MicroGraph#node} returns its node.
 *
 * @param id the value's index in the graph's order
 */
public record MicroValue(int id) {}
