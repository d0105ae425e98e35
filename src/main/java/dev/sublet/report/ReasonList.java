package dev.sublet.report;

import dev.sublet.program.Names;
import dev.sublet.program.VariableId;

/** Variables, one a line, each with its block and a few words. */
final class ReasonList {

  private final String title;
  private final TextTable table =
      new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT, TextTable.Column.TEXT);

  /** An empty list under a headline. */
  ReasonList(String title) {
    this.title = title;
  }

  /** Adds a line. */
  void add(VariableId variable, String words) {
    table.row("  block " + variable.block(), Names.display(variable.name()), words);
  }

  /** The headline and the lines. */
  @Override
  public String toString() {
    return title + "\n" + table;
  }
}
