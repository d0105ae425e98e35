package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.codec.plan.CNames;
import dev.sublet.compile.kernel.CLibrary;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.Tiling;
import dev.sublet.runtime.micro.ir.MicroProgram;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The C functions of a model: one for each distinct nest, which all operators that have it share,
 * and those of C kernels.
 */
final class FunctionTable {

  private final String prefix;
  private final CFunctions functions;
  private final CLibrary library;
  private final Map<String, String> names = new HashMap<>();

  FunctionTable(String name, MathMode math) {
    this.prefix = name + "_";
    this.functions = new CFunctions(prefix, math == MathMode.STRICT);
    this.library = new CLibrary(functions, prefix);
  }

  /**
   * Returns the name of the function of a program, which becomes part of the model.
   *
   * @param given the outputs that have values before the call
   * @param tiling how the nests are cut
   */
  String use(MicroProgram program, ImmutableSet<String> given, Tiling tiling) {
    MicroProgram anonymous =
        new MicroProgram(
            "", program.parameters(), program.tensors(), ImmutableList.of(), program.functions());
    String key = anonymous + " " + given + " " + tiling;
    String known = names.get(key);
    if (known != null) {
      return known;
    }
    String name =
        prefix + "k" + names.size() + "_" + CNames.word(program.name()).toLowerCase(Locale.ROOT);
    functions.add(program, name, given, tiling);
    names.put(key, name);
    return name;
  }

  /**
   * Returns the statements of a routine, whose functions become part of the model.
   *
   * @param pointers gives the expression for a pointer
   */
  String use(CRoutine routine, Function<CRoutine.Place, String> pointers) {
    return library.statements(routine, pointers);
  }

  /** Returns the prefix of all names. */
  String prefix() {
    return prefix;
  }

  int count() {
    return names.size() + library.count();
  }

  /** Returns the source of all functions. */
  String text() {
    return functions.text();
  }
}
