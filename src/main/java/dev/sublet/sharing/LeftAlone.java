package dev.sublet.sharing;

import dev.sublet.program.VariableId;

/**
 * A variable that shares its name with no other.
 *
 * @param variable the variable
 * @param reason the reason, in a few words
 */
public record LeftAlone(VariableId variable, String reason) {}
