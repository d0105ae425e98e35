package dev.sublet.testing.text;

import com.google.common.base.Splitter;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import dev.sublet.program.Names;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads program text line by line, then declares the names that the text does not declare. */
final class ProgramTextParser {

  private static final String DEFAULT_TYPE = "fp32[1]";

  private final ProgramDesc.Builder program = ProgramDesc.newBuilder();
  private final List<Set<String>> declared = new ArrayList<>();

  /** The line of each operator, by block, for error messages. */
  private final List<List<LineScanner>> lines = new ArrayList<>();

  /** The types of the operators of the current block. */
  private final Multiset<String> types = HashMultiset.create();

  private String defaultType = DEFAULT_TYPE;

  private ProgramTextParser() {}

  static ProgramDesc parse(String text) {
    ProgramTextParser parser = new ProgramTextParser();
    int number = 0;
    for (String line : Splitter.on('\n').split(text)) {
      number++;
      LineScanner scanner = new LineScanner(line, number);
      if (!scanner.atEnd()) {
        parser.parseLine(scanner, line);
        scanner.expectEnd();
      }
    }
    parser.declareTheRest();
    return parser.program.build();
  }

  private void parseLine(LineScanner line, String text) {
    switch (statement(text)) {
      case "version" -> {
        line.expect("version");
        program.getVersionBuilder().setVersion(line.integer("a version"));
      }
      case "default" -> {
        line.expect("default");
        defaultType = text.trim().substring("default".length());
        TypeText.parse(line, VarDesc.newBuilder());
      }
      case "block" -> parseBlock(line);
      case "var" -> {
        line.expect("var");
        String name = line.name("a variable's name");
        line.expect(":");
        declare(line, name);
      }
      case "feed" -> parseFeed(line);
      default -> parseOperation(line);
    }
  }

  /** The first word of a line, unless it is an operator's type or output. */
  private static String statement(String text) {
    String trimmed = text.trim();
    int end = 0;
    while (end < trimmed.length() && LineScanner.NAME.matches(trimmed.charAt(end))) {
      end++;
    }
    String rest = trimmed.substring(end).trim();
    return rest.startsWith("(") || rest.startsWith("=") ? "" : trimmed.substring(0, end);
  }

  private void parseBlock(LineScanner line) {
    line.expect("block");
    BlockDesc.Builder block = program.addBlocksBuilder();
    block.setIdx(line.integer("a block's index"));
    if (block.getIdx() != program.getBlocksCount() - 1) {
      throw line.error("expected block " + (program.getBlocksCount() - 1));
    }
    block.setParentIdx(line.takeWord("parent") ? line.integer("the parent") : -1);
    if (line.takeWord("forward")) {
      block.setForwardBlockIdx(line.integer("the forward block"));
    }
    declared.add(new HashSet<>());
    lines.add(new ArrayList<>());
    types.clear();
  }

  private BlockDesc.Builder currentBlock(LineScanner line) {
    if (program.getBlocksCount() == 0) {
      throw line.error("no block has begun");
    }
    return program.getBlocksBuilder(program.getBlocksCount() - 1);
  }

  private void declare(LineScanner line, String name) {
    VarDesc.Builder variable = currentBlock(line).addVarsBuilder().setName(name);
    if (!declared.get(program.getBlocksCount() - 1).add(name)) {
      throw line.error("'" + name + "' is declared twice");
    }
    TypeText.parse(line, variable);
  }

  private void parseFeed(LineScanner line) {
    line.expect("feed");
    String name = line.name("a variable's name");
    if (line.take(":")) {
      declare(line, name);
    }
    OpDesc.Builder operation = addOperation(line).setType("feed");
    operation.addInputsBuilder().setParameter("X").addArguments("feed");
    operation.addOutputsBuilder().setParameter("Out").addArguments(name);
    operation.addAttrsBuilder().setName("col").setType(AttrType.INT).setI(types.count("feed"));
    types.add("feed");
  }

  private OpDesc.Builder addOperation(LineScanner line) {
    BlockDesc.Builder block = currentBlock(line);
    lines.get(block.getIdx()).add(line);
    return block.addOpsBuilder();
  }

  private void parseOperation(LineScanner line) {
    OpDesc.Builder operation = addOperation(line);
    boolean hasOutputs = true;
    String type = "";
    if (line.take("(")) {
      parseSlots(line, operation, /* inputs= */ false);
      line.expect("=");
    } else {
      List<String> names = names(line);
      if (names.isEmpty()) {
        throw line.error("expected a statement");
      }
      if (line.take("=")) {
        operation.addOutputsBuilder().setParameter("Out").addAllArguments(names);
      } else if (names.size() == 1) {
        type = names.get(0);
        hasOutputs = false;
      } else {
        throw line.error("expected '=' behind the outputs");
      }
    }
    operation.setType(type.isEmpty() ? line.name("an operator type") : type);
    line.expect("(");
    parseSlots(line, operation, /* inputs= */ true);
    if (!hasOutputs && line.take("->")) {
      line.expect("(");
      parseSlots(line, operation, /* inputs= */ false);
      hasOutputs = true;
    }
    if (line.take("{")) {
      AttributeText.parse(line, operation);
    }
    if (!hasOutputs && operation.getType().equals("fetch")) {
      operation.addOutputsBuilder().setParameter("Out").addArguments("fetch");
      operation.addAttrsBuilder().setName("col").setType(AttrType.INT).setI(types.count("fetch"));
    }
    types.add(operation.getType());
    if (line.takeWord("target")) {
      operation.setIsTarget(true);
    }
  }

  /** Reads slots up to the closing parenthesis. */
  private static void parseSlots(LineScanner line, OpDesc.Builder operation, boolean inputs) {
    int count = 0;
    while (!line.take(")")) {
      List<String> names = names(line);
      OpDesc.Var.Builder slot =
          inputs ? operation.addInputsBuilder() : operation.addOutputsBuilder();
      if (line.take(":")) {
        if (names.size() != 1) {
          throw line.error("expected one slot name before ':'");
        }
        slot.setParameter(names.get(0)).addAllArguments(names(line));
      } else {
        slot.setParameter(defaultSlot(line, inputs, count)).addAllArguments(names);
      }
      count++;
      if (!line.sees(")")) {
        line.expect(",");
      }
    }
  }

  private static String defaultSlot(LineScanner line, boolean inputs, int position) {
    if (position == 0) {
      return inputs ? "X" : "Out";
    }
    if (position == 1 && inputs) {
      return "Y";
    }
    throw line.error("slot " + (position + 1) + " needs a name");
  }

  private static List<String> names(LineScanner line) {
    List<String> names = new ArrayList<>();
    while (line.seesName()) {
      names.add(line.name("a name"));
    }
    return names;
  }

  /** Declares every name that is written but not visible; then every read name must be visible. */
  private void declareTheRest() {
    for (int block = 0; block < program.getBlocksCount(); block++) {
      for (OpDesc operation : program.getBlocks(block).getOpsList()) {
        declareHolder(block, operation);
        for (OpDesc.Var slot : operation.getOutputsList()) {
          for (String name : slot.getArgumentsList()) {
            declareUnlessVisible(block, name, typeOf(operation, slot));
          }
        }
      }
    }
    for (int block = 0; block < program.getBlocksCount(); block++) {
      for (int i = 0; i < program.getBlocks(block).getOpsCount(); i++) {
        checkInputs(block, program.getBlocks(block).getOps(i), lines.get(block).get(i));
      }
    }
  }

  private void declareHolder(int block, OpDesc operation) {
    if (operation.getType().equals("feed")) {
      for (String name : operation.getInputs(0).getArgumentsList()) {
        declareUnlessVisible(block, name, "feed_holder persistable");
      }
    }
  }

  private void declareUnlessVisible(int block, String name, String type) {
    if (!isVisible(block, name)) {
      declared.get(block).add(name);
      TypeText.parse(
          new LineScanner(type, 0), program.getBlocksBuilder(block).addVarsBuilder().setName(name));
    }
  }

  private String typeOf(OpDesc operation, OpDesc.Var slot) {
    return switch (slot.getParameter()) {
      case "StepScopes", "Scope", "step_scopes" -> "step_scopes";
      case "Out" ->
          switch (operation.getType()) {
            case "fetch" -> "fetch_list persistable";
            case "write_to_array" -> "array " + defaultType;
            default -> defaultType;
          };
      default -> defaultType;
    };
  }

  private boolean isVisible(int block, String name) {
    if (name.isEmpty() || name.equals(Names.EMPTY)) {
      return true;
    }
    Set<Integer> visited = new HashSet<>();
    List<Integer> path = new ArrayList<>();
    path.add(block);
    for (int i = 0; i < path.size(); i++) {
      int visible = path.get(i);
      // A dangling or cyclic index is for Program.of to refuse.
      if (visible < 0 || visible >= program.getBlocksCount() || !visited.add(visible)) {
        continue;
      }
      if (declared.get(visible).contains(name)) {
        return true;
      }
      BlockDesc.Builder outer = program.getBlocksBuilder(visible);
      path.add(outer.getForwardBlockIdx());
      path.add(outer.getParentIdx());
    }
    return false;
  }

  private void checkInputs(int block, OpDesc operation, LineScanner line) {
    for (OpDesc.Var slot : operation.getInputsList()) {
      for (String name : slot.getArgumentsList()) {
        if (!isVisible(block, name)) {
          throw line.error("'" + name + "' is neither declared nor written");
        }
      }
    }
  }
}
