package dev.sublet.diff;

import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.List;
import java.util.Map;

/** Gives variables other names, wherever a name is written, by the text of names alone. */
final class Renamer {

  private final Map<String, String> names;

  private Renamer(Map<String, String> names) {
    this.names = names;
  }

  /** The program with other names; those that are not in the map stay. */
  static Program rename(Program program, Map<String, String> names) {
    Renamer renamer = new Renamer(names);
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    for (BlockDesc.Builder block : message.getBlocksBuilderList()) {
      for (VarDesc.Builder variable : block.getVarsBuilderList()) {
        variable.setName(renamer.name(variable.getName()));
      }
      for (OpDesc.Builder operation : block.getOpsBuilderList()) {
        operation.getInputsBuilderList().forEach(renamer::rename);
        operation.getOutputsBuilderList().forEach(renamer::rename);
        operation.getAttrsBuilderList().forEach(renamer::rename);
      }
    }
    return Program.of(message.build());
  }

  private String name(String name) {
    return names.getOrDefault(name, name);
  }

  private void rename(OpDesc.Var.Builder slot) {
    for (int i = 0; i < slot.getArgumentsCount(); i++) {
      slot.setArguments(i, name(slot.getArguments(i)));
    }
  }

  private void rename(OpDesc.Attr.Builder attribute) {
    switch (attribute.getType()) {
      case STRING -> attribute.setS(name(attribute.getS()));
      case VAR -> attribute.setVarName(name(attribute.getVarName()));
      case STRINGS -> {
        List<String> strings = List.copyOf(attribute.getStringsList());
        attribute.clearStrings();
        strings.forEach(string -> attribute.addStrings(name(string)));
      }
      case VARS -> {
        List<String> strings = List.copyOf(attribute.getVarsNameList());
        attribute.clearVarsName();
        strings.forEach(string -> attribute.addVarsName(name(string)));
      }
      default -> {}
    }
  }
}
