/**
 * Anchors, boxes, proposals and regions of interest: entries and rules.
 *
 * <p>How many boxes are left is known only at run time, so most extents are unknown.
 */
@NullMarked
package dev.sublet.operator.paddle.detection;

import org.jspecify.annotations.NullMarked;
