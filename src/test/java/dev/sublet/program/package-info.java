/** Tests of changes to programs: everything else stays, byte by byte. */
@NullMarked
package dev.sublet.program;

import org.jspecify.annotations.NullMarked;
