/** Tests of the pieces that reports are made of; whole reports are tested with their commands. */
@NullMarked
package dev.sublet.report;

import org.jspecify.annotations.NullMarked;
