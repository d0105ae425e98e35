/** Tests of changes to programs: what is not changed stays, byte by byte. */
@NullMarked
package dev.sublet.program;

import org.jspecify.annotations.NullMarked;
