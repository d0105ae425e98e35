/** Files and folders: reads whole files, and writes a set of files entirely or not at all. */
@NullMarked
package dev.sublet.codec.file;

import org.jspecify.annotations.NullMarked;
