package dev.sublet.program;

/**
 * A variable's name inside an operator's attribute.
 *
 * @param attribute the attribute's name
 * @param position the string's index in the attribute's list; 0 for a single string
 * @param variable the dense index of the variable that the name means
 * @param renamable whether the attribute can follow a renaming of the variable: true for attributes
 *     that are known to contain names. False if the string may equal a visible name by chance, or
 *     if it means different variables in the operator's block and in its sub-block; then the
 *     variable must keep its name
 */
public record AttributeReference(String attribute, int position, int variable, boolean renamable) {}
