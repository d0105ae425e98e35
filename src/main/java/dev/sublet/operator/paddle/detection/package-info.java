/**
 * Catalog entries and shape rules for anchors, boxes, proposals, and regions of interest.
 *
 * <p>The number of boxes that are left is known only at run time, so most of these extents are
 * bounds.
 */
@NullMarked
package dev.sublet.operator.paddle.detection;

import org.jspecify.annotations.NullMarked;
