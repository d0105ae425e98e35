package dev.sublet.report.format;

import dev.sublet.program.Names;
import dev.sublet.program.VariableId;

/** A list of variables, one per line, each with its block and a short reason. */
public final class ReasonList {

  private final String title;
  private final TextTable table =
      new TextTable(TextTable.Column.TEXT, TextTable.Column.TEXT, TextTable.Column.TEXT);

  /** Creates an empty list with a headline. */
  public ReasonList(String title) {
    this.title = title;
  }

  /** Adds a line for a variable. */
  public void add(VariableId variable, String words) {
    table.row("  block " + variable.block(), Names.display(variable.name()), words);
  }

  /** Returns the headline and the lines. */
  @Override
  public String toString() {
    return title + "\n" + table;
  }
}
