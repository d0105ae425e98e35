/**
 * Searches for faults with fresh seeds, for as long as it is told to. Not a test: what it finds is
 * made small, written to a file, and becomes a test when it is copied to {@code testdata/pinned}.
 */
@NullMarked
package dev.sublet.fuzz;

import org.jspecify.annotations.NullMarked;
