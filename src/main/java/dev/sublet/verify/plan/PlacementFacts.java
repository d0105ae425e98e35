package dev.sublet.verify.plan;

/**
 * The locations that a plan gives the variables of a program, with the copies that change no bytes
 * there.
 *
 * @param allocations the plan's allocations
 * @param locations the bytes of each allocation, by the phases of the loops
 * @param groups the variables that share a buffer at run time
 * @param copies the operators that the plan lists as unneeded
 * @param kept the bytes that writes do not change
 */
record PlacementFacts(
    PlacedAllocations allocations,
    PhasedLocations locations,
    BufferGroups groups,
    UnneededCopies copies,
    KeptBytes kept) {}
