package dev.sublet.peak;

/**
 * A change that makes the arena smaller.
 *
 * @param change the change, in words or as an option
 * @param price what it costs; empty if it costs nothing
 * @param arenaBytes the bytes of all arenas of a proved plan with the change
 */
public record Lever(String change, String price, long arenaBytes) {}
