/**
 * Groups of options that several commands have, and what they read.
 *
 * <p>A command lists the groups that it wants as mixins and asks each for the library's options.
 */
@NullMarked
package dev.sublet.cli.flag;

import org.jspecify.annotations.NullMarked;
