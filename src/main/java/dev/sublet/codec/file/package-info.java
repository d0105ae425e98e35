/** Files and folders: read whole, written all together or not at all. */
@NullMarked
package dev.sublet.codec.file;

import org.jspecify.annotations.NullMarked;
