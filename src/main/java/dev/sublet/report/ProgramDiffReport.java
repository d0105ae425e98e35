package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.diff.ProgramDifference;
import dev.sublet.diff.ProgramDifference.BlockChange;
import dev.sublet.diff.ProgramDifference.OperatorChange;
import dev.sublet.diff.ProgramDifference.Renaming;
import dev.sublet.diff.ProgramDifference.VariableChange;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.VariableId;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.LongLists;
import dev.sublet.report.format.Quantity;
import java.util.List;

/**
 * The differences between two programs, one per line; {@code same} if there are none.
 *
 * @param difference the differences
 */
public record ProgramDiffReport(ProgramDifference difference) implements DiffReport {

  @Override
  public LongLists lines() {
    LongLists lines = new LongLists();
    if (difference.versionBefore() != difference.versionAfter()) {
      lines.add(
          "versions",
          "version: " + difference.versionAfter() + " instead of " + difference.versionBefore());
    }
    for (Renaming renaming : difference.renamings()) {
      lines.add("renamings", line(renaming));
    }
    for (OperatorChange change : difference.operators()) {
      lines.add(Ascii.toLowerCase(change.kind().name()) + " operators", line(change));
    }
    for (BlockChange change : difference.blocks()) {
      lines.add(
          "blocks",
          Ascii.toLowerCase(change.kind().name())
              + ": block "
              + change.block()
              + " with "
              + Quantity.count(change.operators())
              + " operators");
    }
    for (VariableChange change : difference.variables()) {
      lines.add(
          Ascii.toLowerCase(change.kind().name()) + " variables",
          "variable "
              + Ascii.toLowerCase(change.kind().name())
              + ": "
              + name(change.variable())
              + (change.details().isEmpty() ? "" : " " + String.join(", ", change.details())));
    }
    for (int block : difference.inexact()) {
      lines.add(
          "notes",
          "block "
              + block
              + " is so different that only operators that occur once, and those beside them, were"
              + " paired; some of the operators called removed and added may be the same");
    }
    return lines;
  }

  private static String line(Renaming renaming) {
    String uses = Quantity.count(renaming.uses()) + (renaming.uses() == 1 ? " use" : " uses");
    String all =
        renaming.uses() == renaming.allUses()
            ? uses
            : Quantity.count(renaming.uses())
                + " of "
                + Quantity.count(renaming.allUses())
                + " uses";
    return "renamed: "
        + name(renaming.before())
        + " → "
        + name(renaming.after())
        + " ("
        + all
        + ")";
  }

  private static String line(OperatorChange change) {
    Operation first = change.before().orElseGet(() -> change.after().orElseThrow());
    StringBuilder line = new StringBuilder(Ascii.toLowerCase(change.kind().name()));
    line.append(": ").append(first);
    if (change.before().isPresent() && change.after().isPresent()) {
      Operation after = change.after().get();
      if (after.block() != first.block()) {
        line.append(", now block ").append(after.block()).append(", op ").append(after.index());
      } else if (after.index() != first.index()) {
        line.append(", now op ").append(after.index());
      }
      line.append(": ").append(String.join("; ", change.details()));
    }
    return line.toString();
  }

  /** Returns the name of a variable; with the block unless that is the entry block. */
  private static String name(VariableId id) {
    return id.block() == 0 ? Names.display(id.name()) : id.toString();
  }

  @Override
  public String json() {
    JsonObject object = new JsonObject();
    object.addProperty("same", difference.isSame());
    object.addProperty("compared", "programs");
    object.addProperty("version_before", difference.versionBefore());
    object.addProperty("version_after", difference.versionAfter());
    JsonArray renamings = new JsonArray();
    for (Renaming renaming : difference.renamings()) {
      JsonObject entry = new JsonObject();
      entry.add("before", JsonText.variable(renaming.before()));
      entry.add("after", JsonText.variable(renaming.after()));
      entry.addProperty("uses", renaming.uses());
      entry.addProperty("all_uses", renaming.allUses());
      renamings.add(entry);
    }
    object.add("renamings", renamings);
    JsonArray operators = new JsonArray();
    for (OperatorChange change : difference.operators()) {
      JsonObject entry = new JsonObject();
      entry.addProperty("kind", Ascii.toLowerCase(change.kind().name()));
      change.before().ifPresent(operation -> entry.add("before", json(operation)));
      change.after().ifPresent(operation -> entry.add("after", json(operation)));
      entry.add("details", JsonText.strings(change.details()));
      operators.add(entry);
    }
    object.add("operators", operators);
    JsonArray blocks = new JsonArray();
    for (BlockChange change : difference.blocks()) {
      JsonObject entry = new JsonObject();
      entry.addProperty("kind", Ascii.toLowerCase(change.kind().name()));
      entry.addProperty("block_idx", change.block());
      entry.addProperty("operators", change.operators());
      blocks.add(entry);
    }
    object.add("blocks", blocks);
    object.add("variables", variables(difference.variables()));
    JsonArray inexact = new JsonArray();
    difference.inexact().forEach(inexact::add);
    object.add("inexact_blocks", inexact);
    return JsonText.print(object);
  }

  private static JsonArray variables(List<VariableChange> changes) {
    JsonArray variables = new JsonArray();
    for (VariableChange change : changes) {
      JsonObject entry = JsonText.variable(change.variable());
      entry.addProperty("kind", Ascii.toLowerCase(change.kind().name()));
      entry.add("details", JsonText.strings(change.details()));
      variables.add(entry);
    }
    return variables;
  }

  private static JsonObject json(Operation operation) {
    JsonObject object = new JsonObject();
    object.addProperty("block_idx", operation.block());
    object.addProperty("op_idx", operation.index());
    object.addProperty("op_type", operation.type());
    return object;
  }
}
