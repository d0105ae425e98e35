/** What people are shown. */
@NullMarked
package dev.sublet.diag;

import org.jspecify.annotations.NullMarked;
