/**
 * Damages inputs the way that disks, other programs and people do, knowing their structure, and
 * makes a damaged input smaller that shows a fault. The same seed damages the same bytes in the
 * same way.
 */
@NullMarked
package dev.sublet.testing.damage;

import org.jspecify.annotations.NullMarked;
