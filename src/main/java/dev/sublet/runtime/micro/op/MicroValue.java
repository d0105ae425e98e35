package dev.sublet.runtime.micro.op;

/**
 * A value of one graph: a number that {@link MicroGraph#node} looks up.
 *
 * @param id its place in the graph's order
 */
public record MicroValue(int id) {}
