/** Tests of pictures: their parts, and their page in a real browser. */
@NullMarked
package dev.sublet.picture;

import org.jspecify.annotations.NullMarked;
