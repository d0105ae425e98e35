/**
 * Looks for the smallest arena by branch and bound, and proves that it is the smallest.
 *
 * <p>{@link dev.sublet.placement.search.SearchPlanner} is the front door. A problem becomes a
 * {@code SearchModel}: units, sections of time, partitions. {@code DepthFirstSearch} walks it on a
 * {@code SearchState}, for one target and one order of preference; {@code SearchPortfolio} lets
 * several such members take turns. {@code PeakReduction} searches parts of problems that are too
 * large.
 *
 * <p>Invariant: what is found depends on the steps that a search may take, never on the machine.
 *
 * <p>Source: MiniMalloc (ASPLOS 2023), and what its successors added; each type names its own.
 */
@NullMarked
package dev.sublet.placement.search;

import org.jspecify.annotations.NullMarked;
