/**
 * Golden-file tests of transpilers, Sublet's own and others.
 *
 * <p>{@link dev.sublet.golden.GoldenPrograms} finds cases by listing a folder. A {@link
 * dev.sublet.golden.GoldenCase} runs a transpiler on its input, and compares the result with the
 * {@link dev.sublet.golden.ExpectedFiles} beside the input. Programs and plans are compared by
 * content, not by file format; other files byte for byte. All differences of a case are reported in
 * one {@link java.lang.AssertionError}, so any test framework can be used.
 *
 * <p>Invariant: no file is written unless a system property is set; a missing file is a failure.
 * (The package is not called {@code testing} because a package of Sublet's own tests has that
 * name.)
 */
@NullMarked
package dev.sublet.golden;

import org.jspecify.annotations.NullMarked;
