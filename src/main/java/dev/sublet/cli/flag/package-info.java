/**
 * Groups of options that several commands share, and the readers of their values.
 *
 * <p>A command declares the groups that it needs as mixins, and gets the options of the library
 * from each of them.
 */
@NullMarked
package dev.sublet.cli.flag;

import org.jspecify.annotations.NullMarked;
