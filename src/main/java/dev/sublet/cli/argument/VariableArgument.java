package dev.sublet.cli.argument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import dev.sublet.diag.NameHint;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;

/** Arguments that name variables. */
public final class VariableArgument {

  private VariableArgument() {}

  /**
   * Returns the dense indices of the variables that an argument names: those of this name in all
   * blocks. If there are none and the argument has the form {@code BLOCK:NAME}, returns the
   * variable that the block declares. O(variables).
   *
   * @throws ProgramException if the argument names no variable
   */
  public static ImmutableList<Integer> resolve(Program program, String argument) {
    ImmutableList.Builder<Integer> builder = ImmutableList.builder();
    for (Variable variable : program.variables()) {
      if (variable.name().equals(argument)) {
        builder.add(variable.index());
      }
    }
    ImmutableList<Integer> named = builder.build();
    if (!named.isEmpty()) {
      return named;
    }
    int colon = argument.indexOf(':');
    Integer block = colon < 0 ? null : Ints.tryParse(argument.substring(0, colon));
    if (block == null) {
      throw ProgramException.usage(
          "no block declares '"
              + argument
              + "'"
              + NameHint.of(argument, "variables", Names.display(program.variables())));
    }
    String name = argument.substring(colon + 1);
    boolean exists = block >= 0 && block < program.blocks().size();
    int index = exists ? program.declared(block, name) : Program.NO_VARIABLE;
    if (index == Program.NO_VARIABLE) {
      throw ProgramException.usage(
          exists
              ? "block " + block + " does not declare '" + name + "'" + hint(program, block, name)
              : "there is no block "
                  + block
                  + ", and no block declares '"
                  + argument
                  + "'; the blocks are 0 to "
                  + (program.blocks().size() - 1));
    }
    return ImmutableList.of(index);
  }

  private static String hint(Program program, int block, String name) {
    ImmutableList<String> names = Names.display(program.block(block).variables());
    return NameHint.of(name, "variables of block " + block, names);
  }
}
