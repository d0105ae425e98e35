package dev.sublet.testing.text;

import com.google.common.base.Joiner;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.ArrayList;
import java.util.List;

/** Writes a program as text: for each block its declarations, then its operators. */
final class ProgramTextPrinter {

  private final StringBuilder text = new StringBuilder();
  private int feeds;
  private int fetches;

  private ProgramTextPrinter() {}

  static String print(ProgramDesc program) {
    ProgramTextPrinter printer = new ProgramTextPrinter();
    if (program.hasVersion()) {
      printer.line("version " + program.getVersion().getVersion());
    }
    for (BlockDesc block : program.getBlocksList()) {
      printer.print(block);
    }
    return printer.text.toString();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void print(BlockDesc block) {
    line(
        "block "
            + block.getIdx()
            + (block.getParentIdx() < 0 ? "" : " parent " + block.getParentIdx())
            + (block.hasForwardBlockIdx() ? " forward " + block.getForwardBlockIdx() : ""));
    for (VarDesc variable : block.getVarsList()) {
      line("  var " + quote(variable.getName()) + ": " + TypeText.print(variable));
    }
    feeds = 0;
    fetches = 0;
    for (OpDesc operation : block.getOpsList()) {
      line("  " + print(operation));
    }
  }

  private String print(OpDesc operation) {
    if (isPlainFeed(operation)) {
      return "feed " + quote(operation.getOutputs(0).getArguments(0));
    }
    boolean fetch = operation.getType().equals("fetch");
    if (fetch && isPlainFetch(operation)) {
      return "fetch" + inputs(operation);
    }
    boolean hasBlocks = false;
    for (OpDesc.Attr attribute : operation.getAttrsList()) {
      hasBlocks |= attribute.getType() == AttrType.BLOCK || attribute.getType() == AttrType.BLOCKS;
    }
    String call = quote(operation.getType()) + inputs(operation);
    int outputs = operation.getOutputsCount();
    if (hasBlocks || (fetch && outputs == 0)) {
      call += " -> " + outputs(operation);
    } else if (outputs == 1
        && operation.getOutputs(0).getParameter().equals("Out")
        && operation.getOutputs(0).getArgumentsCount() > 0) {
      call = names(operation.getOutputs(0)) + " = " + call;
    } else if (outputs > 0) {
      call = outputs(operation) + " = " + call;
    }
    return call + attributes(operation) + (operation.getIsTarget() ? " target" : "");
  }

  /** Whether the operator is what a feed statement makes. */
  private boolean isPlainFeed(OpDesc operation) {
    if (!operation.getType().equals("feed")) {
      return false;
    }
    int column = feeds++;
    return hasColumn(operation, column)
        && operation.getInputsCount() == 1
        && operation.getInputs(0).equals(slot("X", "feed"))
        && operation.getOutputsCount() == 1
        && operation.getOutputs(0).getParameter().equals("Out")
        && operation.getOutputs(0).getArgumentsCount() == 1;
  }

  /** Whether the operator is what a fetch without outputs makes. */
  private boolean isPlainFetch(OpDesc operation) {
    int column = fetches++;
    return hasColumn(operation, column)
        && operation.getOutputsCount() == 1
        && operation.getOutputs(0).equals(slot("Out", "fetch"));
  }

  private static boolean hasColumn(OpDesc operation, int column) {
    OpDesc.Attr attribute =
        OpDesc.Attr.newBuilder().setName("col").setType(AttrType.INT).setI(column).build();
    return operation.getAttrsCount() == 1
        && operation.getAttrs(0).equals(attribute)
        && !operation.getIsTarget();
  }

  private static OpDesc.Var slot(String name, String argument) {
    return OpDesc.Var.newBuilder().setParameter(name).addArguments(argument).build();
  }

  private static String inputs(OpDesc operation) {
    List<String> slots = new ArrayList<>();
    for (OpDesc.Var slot : operation.getInputsList()) {
      String implied = slots.isEmpty() ? "X" : slots.size() == 1 ? "Y" : "";
      slots.add(print(slot, implied));
    }
    return "(" + Joiner.on(", ").join(slots) + ")";
  }

  private static String outputs(OpDesc operation) {
    List<String> slots = new ArrayList<>();
    for (OpDesc.Var slot : operation.getOutputsList()) {
      slots.add(print(slot, ""));
    }
    return "(" + Joiner.on(", ").join(slots) + ")";
  }

  private static String print(OpDesc.Var slot, String implied) {
    if (slot.getParameter().equals(implied) && slot.getArgumentsCount() > 0) {
      return names(slot);
    }
    String name = quote(slot.getParameter()) + ":";
    return slot.getArgumentsCount() == 0 ? name : name + " " + names(slot);
  }

  private static String names(OpDesc.Var slot) {
    List<String> names = new ArrayList<>();
    for (String argument : slot.getArgumentsList()) {
      names.add(quote(argument));
    }
    return Joiner.on(" ").join(names);
  }

  private static String attributes(OpDesc operation) {
    if (operation.getAttrsCount() == 0) {
      return "";
    }
    List<String> attributes = new ArrayList<>();
    for (OpDesc.Attr attribute : operation.getAttrsList()) {
      attributes.add(AttributeText.print(attribute));
    }
    return " {" + Joiner.on(", ").join(attributes) + "}";
  }

  /** A name, in quotes if it needs them. */
  static String quote(String name) {
    return !name.isEmpty() && LineScanner.NAME.matchesAllOf(name) ? name : quoteAlways(name);
  }

  static String quoteAlways(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }
}
