/** The process around a command: streams, terminal, progress, signals, exit codes. */
@NullMarked
package dev.sublet.cli.console;

import org.jspecify.annotations.NullMarked;
