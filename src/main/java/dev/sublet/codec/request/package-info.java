/** The messages of the plug-in: a request for a plan, and its response. */
@NullMarked
package dev.sublet.codec.request;

import org.jspecify.annotations.NullMarked;
