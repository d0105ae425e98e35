package dev.sublet.program;

/**
 * A variable's name inside an operator's attribute.
 *
 * @param attribute the attribute's name
 * @param position the string's index in the attribute's list; 0 for a single string
 * @param variable the dense index of the variable that the name means
 * @param renamable whether a renaming of the variable can be carried into the attribute: true for
 *     attributes that are known to hold names. False if the string only happens to equal a visible
 *     name, or means different variables inside and outside the operator's block; then the variable
 *     must keep its name
 */
public record AttributeReference(String attribute, int position, int variable, boolean renamable) {}
