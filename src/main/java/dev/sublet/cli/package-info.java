/**
 * The command line: {@code sublet VERB …}.
 *
 * <p>In go arguments and three streams; out come files, text on the streams, and an exit code. Each
 * command is one class, whose fields are its options; options that several commands have are the
 * {@code *Flags} classes. A command reads its input, calls the library once, writes its files, and
 * hands a {@link dev.sublet.report.Report} to the streams. {@link dev.sublet.cli.Main} alone
 * catches exceptions and turns them into exit codes; under {@code plugin}, {@link
 * dev.sublet.plugin.PluginServer} turns them into responses first.
 *
 * <p>Invariant: standard output carries only the result, standard error everything else; files are
 * written all together or not at all, and only after everything was proved; nothing printed depends
 * on time, locale, or the order of hash tables, unless timings are asked for.
 *
 * <p>To add a command: a class here, a line in {@link dev.sublet.cli.Main}, a test, a row in the
 * README.
 */
@NullMarked
package dev.sublet.cli;

import org.jspecify.annotations.NullMarked;
