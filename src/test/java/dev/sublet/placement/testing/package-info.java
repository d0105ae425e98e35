/**
 * Problems for the tests of planners, from text and from seeds, and judges of what planners find
 * that share no code with them.
 */
@NullMarked
package dev.sublet.placement.testing;

import org.jspecify.annotations.NullMarked;
