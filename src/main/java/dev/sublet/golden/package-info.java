/**
 * Golden-file tests of transpilers, Sublet's own and others.
 *
 * <p>{@link dev.sublet.golden.GoldenPrograms} finds cases by listing a folder; a {@link
 * dev.sublet.golden.GoldenCase} has an input and runs a transpiler on it; what comes out is
 * compared with the {@link dev.sublet.golden.ExpectedFiles} beside the input. Programs and plans
 * are compared by what they say and not by how they are written down, other files byte for byte.
 * What differs is one {@link java.lang.AssertionError} that says all of it, so any test framework
 * will do.
 *
 * <p>Invariant: nothing is written unless a system property says so; a file that is missing is a
 * failure. (The package is not called {@code testing}, which is the name of a package of Sublet's
 * own tests.)
 */
@NullMarked
package dev.sublet.golden;

import org.jspecify.annotations.NullMarked;
