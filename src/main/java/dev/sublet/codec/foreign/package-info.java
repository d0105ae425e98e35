/**
 * Files of other tools: recognizes a file or a folder that is no program by its signature, and
 * names the format and the way to a program that Sublet can read.
 *
 * <p>{@link dev.sublet.codec.foreign.ForeignFiles} is the front door. The readers call it after
 * they have failed, so no file that can be read is ever refused because of a signature. The sources
 * of the signatures are in the Javadoc of the classes that contain them.
 */
@NullMarked
package dev.sublet.codec.foreign;

import org.jspecify.annotations.NullMarked;
