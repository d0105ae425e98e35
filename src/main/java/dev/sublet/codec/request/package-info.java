/** The messages of the plug-in: requests for plans and the responses to them. */
@NullMarked
package dev.sublet.codec.request;

import org.jspecify.annotations.NullMarked;
