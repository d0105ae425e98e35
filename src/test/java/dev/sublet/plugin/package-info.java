/** Tests of the plug-in: streams of requests, good and bad. */
@NullMarked
package dev.sublet.plugin;

import org.jspecify.annotations.NullMarked;
