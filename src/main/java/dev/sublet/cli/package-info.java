/**
 * The command line: {@code sublet VERB …}.
 *
 * <p>A command gets arguments and three streams; it produces files, text on the streams, and an
 * exit code. Each command is one class, whose fields are its options; options that several commands
 * share are in the {@code *Flags} classes. A command reads its input, calls the library once,
 * writes its files, and passes a {@link dev.sublet.report.Report} to the streams. Only {@link
 * dev.sublet.cli.Main} catches exceptions and turns them into exit codes; under {@code plugin},
 * {@link dev.sublet.plugin.PluginServer} first turns them into responses.
 *
 * <p>Invariant: standard output contains only the result, standard error everything else. Files are
 * written all together or not at all, and only after all proofs. The output does not depend on
 * time, locale, or the order of hash tables, unless timings are requested.
 *
 * <p>To add a command, add a class here, a line in {@link dev.sublet.cli.Main}, a test, and a row
 * in the table of verbs in docs/command-line.md.
 */
@NullMarked
package dev.sublet.cli;

import org.jspecify.annotations.NullMarked;
