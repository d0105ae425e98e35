package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.ByteText;
import dev.sublet.loop.LoopCarriedCopies;
import dev.sublet.loop.LoopCarriedCopy;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.program.Names;
import dev.sublet.program.Variable;
import dev.sublet.report.format.JsonText;
import dev.sublet.report.format.TextTable;

/**
 * The loop-carried copies of a program, and why each is needed or not.
 *
 * @param analysis the program and the facts about it
 * @param carries the loop-carried values of its loops
 */
public record LoopReport(ProgramFacts analysis, LoopCarriedValues carries) implements Report {

  @Override
  public String text() {
    if (carries.loops().isEmpty()) {
      return "no loop of the program hands a tensor to its next iteration by a copy\n";
    }
    StringBuilder text = new StringBuilder();
    for (LoopCarriedCopies loop : carries.loops()) {
      text.append("loop of block ").append(block(loop));
      if (loop.isRotating()) {
        text.append(": everything is back in its place after ")
            .append(loop.repeat())
            .append(" iterations");
      }
      text.append('\n');
      TextTable table =
          new TextTable(
              TextTable.Column.TEXT,
              TextTable.Column.TEXT,
              TextTable.Column.NUMBER,
              TextTable.Column.TEXT,
              TextTable.Column.TEXT);
      table.row("  variable", "next value", "bytes", "copy", "because");
      for (LoopCarriedCopy carry : loop.carries()) {
        table.row(
            "  " + name(carry.target()),
            name(carry.source()),
            isKnown(carry) ? ByteText.exact(bytes(carry)) : "?",
            decision(carry),
            carry.reason());
      }
      text.append(table);
    }
    return text.toString();
  }

  private boolean isKnown(LoopCarriedCopy carry) {
    return analysis.sizes().isKnown(carry.target());
  }

  /** The bytes that the copy moves per iteration, if it is made. */
  private long bytes(LoopCarriedCopy carry) {
    return analysis.sizes().bytes(carry.target());
  }

  private static String decision(LoopCarriedCopy carry) {
    return switch (carry.decision()) {
      case CO_ALLOCATED -> "none: one place";
      case ROTATED -> "none: " + carry.repeat() + " slots in turn";
      case COPIED -> "stays";
    };
  }

  private int block(LoopCarriedCopies loop) {
    return analysis.liveness().graph().region(loop.region()).block();
  }

  private String name(int variable) {
    return Names.display(analysis.program().variable(variable).name());
  }

  @Override
  public String json() {
    JsonArray loops = new JsonArray();
    for (LoopCarriedCopies loop : carries.loops()) {
      JsonArray list = new JsonArray();
      for (LoopCarriedCopy carry : loop.carries()) {
        JsonObject object = new JsonObject();
        object.addProperty("op_index", carry.copy().index());
        object.add("target", variable(carry.target()));
        object.add("source", variable(carry.source()));
        if (isKnown(carry)) {
          object.addProperty("bytes", bytes(carry));
        }
        object.addProperty("decision", Ascii.toLowerCase(carry.decision().name()));
        object.addProperty("repeat", carry.repeat());
        object.addProperty("reason", carry.reason());
        list.add(object);
      }
      JsonObject object = new JsonObject();
      object.addProperty("block_idx", block(loop));
      object.addProperty("repeat", loop.repeat());
      object.add("carries", list);
      loops.add(object);
    }
    JsonObject object = new JsonObject();
    object.add("loops", loops);
    return JsonText.print(object);
  }

  private JsonObject variable(int index) {
    Variable variable = analysis.program().variable(index);
    return JsonText.variable(variable.id());
  }
}
