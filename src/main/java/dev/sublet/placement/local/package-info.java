/**
 * Places very many buffers, too many for branch and bound, and makes fewer of many: boxes, which
 * other planners place.
 *
 * <p>Three methods, each in near-linear time per attempt: a sweep over time that places buffers
 * below a ceiling as an allocator would ({@code TimeSweep}), boxes that buffers fill without a hole
 * ({@code Boxing}), and a search that ejects buffers to make room for others ({@code
 * EjectionSearch}). {@link dev.sublet.placement.local.LargePlanner} is the front door; {@link
 * dev.sublet.placement.local.BoxedProblem} is the problem of placing the boxes. All methods work on
 * {@code Rectangles}, whose order depends on the problem alone and not on its rows.
 */
@NullMarked
package dev.sublet.placement.local;

import org.jspecify.annotations.NullMarked;
