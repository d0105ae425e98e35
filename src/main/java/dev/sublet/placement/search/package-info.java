/**
 * Searches for the smallest arena by branch and bound, and proves that it is the smallest.
 *
 * <p>{@link dev.sublet.placement.search.SearchPlanner} is the front door. A problem becomes a
 * {@code SearchModel}, with sizes in units and time in sections. {@code DepthFirstSearch} searches
 * it for one target in the order of offsets, on a {@code SearchState}; {@code SectionSearch}
 * searches it where the choice is smallest, on a {@code SectionState}. {@code SearchPortfolio} lets
 * several searches of both kinds take turns. {@code PeakReduction} searches parts of problems that
 * are too large to be searched as a whole.
 *
 * <p>Invariant: the result depends on the number of steps that a search may take, never on the
 * machine, unless a time limit is set.
 *
 * <p>Source: MiniMalloc (ASPLOS 2023), and what its successors added; each type names its own
 * source.
 */
@NullMarked
package dev.sublet.placement.search;

import org.jspecify.annotations.NullMarked;
