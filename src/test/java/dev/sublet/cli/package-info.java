/** Tests of the command line: each runs a whole command in this process. */
@NullMarked
package dev.sublet.cli;

import org.jspecify.annotations.NullMarked;
