/** What the codec promises: byte identity, text forms, messages for what cannot be read. */
@NullMarked
package dev.sublet.codec;

import org.jspecify.annotations.NullMarked;
