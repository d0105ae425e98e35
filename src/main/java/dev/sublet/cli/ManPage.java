package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.cli.console.Streams;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Prints the manual page, sublet(1), from the same descriptions as {@code --help}; the build of the
 * archives runs it.
 */
final class ManPage {

  private final StringBuilder page = new StringBuilder();

  private ManPage() {}

  /** Takes the version; prints the page, in the macros of man(7), on standard output. */
  public static void main(String[] args) {
    byte[] page = of(args[0]).getBytes(StandardCharsets.UTF_8);
    System.out.write(page, 0, page.length);
    System.out.flush();
  }

  /** Returns the manual page of a version. */
  static String of(String version) {
    Streams none = new Streams(InputStream.nullInputStream(), System.out, System.err);
    CommandLine all = Main.commandLine(new String[0], none);
    ManPage manPage = new ManPage();
    manPage.page.append(".TH SUBLET 1 \"\" \"Sublet ").append(version).append("\"\n");
    manPage.add(all);
    return manPage.page.toString();
  }

  private void add(CommandLine all) {
    CommandSpec sublet = all.getCommandSpec();
    section("NAME");
    page.append("sublet \\- makes deep\\-learning programs need less memory\n");
    section("SYNOPSIS");
    page.append(".B sublet\n.I VERB\n.RI [ ARGUMENTS ]\n");
    section("DESCRIPTION");
    paragraphs(sublet.usageMessage().description());
    verbatim(sublet.usageMessage().footer());
    section("OPTIONS");
    sublet.options().forEach(this::option);
    section("VERBS");
    for (CommandLine verb : all.getSubcommands().values()) {
      verb(verb.getCommandSpec());
    }
  }

  private void verb(CommandSpec verb) {
    page.append(".SS ").append(escape("sublet " + verb.name() + " [OPTIONS]"));
    for (PositionalParamSpec argument : verb.positionalParameters()) {
      boolean isOptional = argument.arity().min() == 0;
      String label = isOptional ? "[" + argument.paramLabel() + "]" : argument.paramLabel();
      page.append(' ').append(escape(label));
    }
    page.append('\n');
    paragraphs(verb.usageMessage().description());
    for (PositionalParamSpec argument : verb.positionalParameters()) {
      item("\\fI" + escape(argument.paramLabel()) + "\\fR", argument.description());
    }
    verb.options().forEach(this::option);
    verbatim(verb.usageMessage().footer());
  }

  private void option(OptionSpec option) {
    if (option.hidden()) {
      return;
    }
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (String name : option.names()) {
      names.add("\\fB" + escape(name) + "\\fR");
    }
    String value = option.arity().max() == 0 ? "" : "=\\fI" + escape(option.paramLabel()) + "\\fR";
    item(String.join(", ", names.build()) + value, option.description());
  }

  private void section(String title) {
    page.append(".SH ").append(title).append('\n');
  }

  private void item(String term, String[] description) {
    page.append(".TP\n").append(term).append('\n');
    for (String line : lines(description)) {
      page.append(escape(line)).append('\n');
    }
  }

  private void paragraphs(String[] text) {
    for (String line : lines(text)) {
      page.append(".PP\n").append(escape(line)).append('\n');
    }
  }

  private void verbatim(String[] text) {
    page.append(".PP\n.nf\n");
    for (String line : lines(text)) {
      page.append(escape(line)).append('\n');
    }
    page.append(".fi\n");
  }

  /** Returns lines as picocli prints them, which formats texts. */
  private static List<String> lines(String[] text) {
    return String.join("\n", text).replace("%n", "\n").replace("%%", "%").strip().lines().toList();
  }

  /** Returns a text in which nothing means anything to roff. */
  private static String escape(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
