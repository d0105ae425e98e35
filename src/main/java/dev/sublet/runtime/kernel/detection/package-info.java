/** Anchors, boxes, proposals, regions of interest, and suppression. */
@NullMarked
package dev.sublet.runtime.kernel.detection;

import org.jspecify.annotations.NullMarked;
