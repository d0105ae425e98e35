package dev.sublet.runtime.memory;

/**
 * An argument of an operator at run time.
 *
 * @param slot the slot of the argument
 * @param index the position of the argument in its slot, counting empty arguments too
 * @param name the variable's name
 * @param variable the variable's dense index
 * @param cell the variable's instance in the operator's scope
 */
public record Argument(String slot, int index, String name, int variable, Cell cell) {}
