package dev.sublet.diff;

import com.google.common.collect.ImmutableList;
import dev.sublet.diff.ProgramDifference.Kind;
import dev.sublet.diff.ProgramDifference.Renaming;
import dev.sublet.diff.ProgramDifference.VariableChange;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The corresponding variables of two programs, with the number of arguments in which they
 * correspond.
 */
final class VariableMap {

  private final Program before;
  private final Program after;
  private final int[] blockPartners;

  /**
   * By variable of the first program: the variables of the second that paired operators write
   * instead, with counts.
   */
  private final Map<Integer, Map<Integer, Integer>> written = new HashMap<>();

  /**
   * By variable of the first program that no paired operator writes: the variable that the first
   * paired operator reads instead.
   */
  private final Map<Integer, Integer> onlyRead = new HashMap<>();

  /** By variable of the first program: the corresponding variables, with the counts of all uses. */
  private final Map<Integer, Map<Integer, Integer>> uses = new HashMap<>();

  private VariableMap(Program before, Program after, int[] blockPartners) {
    this.before = before;
    this.after = after;
    this.blockPartners = blockPartners;
  }

  /** Finds the corresponding variables of two programs whose blocks are paired. O(arguments). */
  static VariableMap of(Program before, Program after, int[] blockPartners, List<BlockPair> pairs) {
    VariableMap map = new VariableMap(before, after, blockPartners);
    for (BlockPair block : pairs) {
      for (OperatorPair pair : block.pairs()) {
        map.addOutputs(pair);
      }
    }
    for (BlockPair block : pairs) {
      for (OperatorPair pair : block.pairs()) {
        map.addInputs(block, pair);
      }
    }
    // Comparing the attributes counts the uses in them; the changes are found again later.
    for (BlockPair block : pairs) {
      for (OperatorPair pair : block.pairs()) {
        AttributeChanges.find(pair, before, after, map::countIfSame);
      }
    }
    return map;
  }

  private void addOutputs(OperatorPair pair) {
    for (OperatorPair.Arguments outputs : pair.outputs()) {
      int variable = pair.before().output(outputs.before());
      int other = pair.after().output(outputs.after());
      if (variable != Program.NO_VARIABLE && other != Program.NO_VARIABLE) {
        count(written, variable, other);
        count(uses, variable, other);
      }
    }
  }

  private void addInputs(BlockPair block, OperatorPair pair) {
    for (OperatorPair.Arguments inputs : pair.inputs()) {
      int variable = pair.before().input(inputs.before());
      int other = pair.after().input(inputs.after());
      if (variable == Program.NO_VARIABLE || other == Program.NO_VARIABLE) {
        continue;
      }
      if (block.areFromSame(pair, inputs)
          && block.isFromOutside(pair, inputs)
          && !written.containsKey(variable)) {
        onlyRead.putIfAbsent(variable, other);
      }
      if (isSame(block, pair, inputs)) {
        count(uses, variable, other);
      }
    }
  }

  private static void count(Map<Integer, Map<Integer, Integer>> counts, int variable, int other) {
    counts.computeIfAbsent(variable, v -> new LinkedHashMap<>()).merge(other, 1, Integer::sum);
  }

  private boolean countIfSame(int variable, int other) {
    boolean same = isSameInAttribute(variable, other);
    if (same) {
      count(uses, variable, other);
    }
    return same;
  }

  /**
   * Whether an attribute that names {@code variable} may name {@code other} in the second program
   * without being changed.
   */
  boolean isSameInAttribute(int variable, int other) {
    return uses.containsKey(variable)
        ? uses.get(variable).containsKey(other)
        : isSameName(variable, other);
  }

  private boolean isSame(BlockPair block, OperatorPair pair, OperatorPair.Arguments inputs) {
    int variable = pair.before().input(inputs.before());
    int other = pair.after().input(inputs.after());
    if (!block.areFromSame(pair, inputs)) {
      return false;
    }
    if (variable == Program.NO_VARIABLE || !block.isFromOutside(pair, inputs)) {
      return true;
    }
    return written.containsKey(variable)
        ? written.get(variable).containsKey(other)
        : onlyRead.getOrDefault(variable, other) == other;
  }

  /** The arguments of two operators that do not correspond, as text for people. */
  List<String> argumentChanges(BlockPair block, OperatorPair pair) {
    List<String> changes = new ArrayList<>();
    for (OperatorPair.Arguments inputs : pair.inputs()) {
      if (!isSame(block, pair, inputs)) {
        int variable = pair.before().input(inputs.before());
        int other = pair.after().input(inputs.after());
        changes.add(
            "input "
                + inputs.slot()
                + (variable != Program.NO_VARIABLE
                        && other != Program.NO_VARIABLE
                        && isSameName(variable, other)
                    ? " is another value of " + name(after, other)
                    : " is " + name(after, other) + " instead of " + name(before, variable)));
      }
    }
    for (OperatorPair.Arguments outputs : pair.outputs()) {
      int variable = pair.before().output(outputs.before());
      int other = pair.after().output(outputs.after());
      if ((variable == Program.NO_VARIABLE) != (other == Program.NO_VARIABLE)) {
        changes.add(
            "output "
                + outputs.slot()
                + " is "
                + name(after, other)
                + " instead of "
                + name(before, variable));
      }
    }
    return changes;
  }

  private static String name(Program program, int variable) {
    return variable == Program.NO_VARIABLE
        ? "empty"
        : "'" + Names.display(program.variable(variable).name()) + "'";
  }

  /**
   * The variable of the second program with the same name in the corresponding block, or {@link
   * Program#NO_VARIABLE}.
   */
  private int sameName(int variable) {
    Variable declared = before.variable(variable);
    int block = blockPartners[declared.block()];
    return block < 0 ? Program.NO_VARIABLE : after.declared(block, declared.name());
  }

  private boolean isSameName(int variable, int other) {
    return sameName(variable) == other;
  }

  /** The variables that have another name in the second program. */
  ImmutableList<Renaming> renamings() {
    ImmutableList.Builder<Renaming> renamings = ImmutableList.builder();
    for (Variable variable : before.variables()) {
      Map<Integer, Integer> others = uses.getOrDefault(variable.index(), Map.of());
      int all = 0;
      for (int count : others.values()) {
        all += count;
      }
      for (Map.Entry<Integer, Integer> entry : others.entrySet()) {
        if (!isSameName(variable.index(), entry.getKey())) {
          renamings.add(
              new Renaming(
                  variable.id(), after.variable(entry.getKey()).id(), entry.getValue(), all));
        }
      }
    }
    return renamings.build();
  }

  /** The variables that are removed, then the added ones, then those with another declaration. */
  ImmutableList<VariableChange> changes() {
    ImmutableList.Builder<VariableChange> removed = ImmutableList.builder();
    ImmutableList.Builder<VariableChange> changed = ImmutableList.builder();
    BitSet known = new BitSet();
    for (Variable variable : before.variables()) {
      if (sameName(variable.index()) != Program.NO_VARIABLE) {
        known.set(sameName(variable.index()));
      }
    }
    for (Variable variable : before.variables()) {
      int same = sameName(variable.index());
      Map<Integer, Integer> others = uses.getOrDefault(variable.index(), Map.of());
      if (same == Program.NO_VARIABLE && others.isEmpty()) {
        removed.add(new VariableChange(Kind.REMOVED, variable.id(), ImmutableList.of()));
      } else if (same != Program.NO_VARIABLE && (others.isEmpty() || others.containsKey(same))) {
        addIfChanged(variable, after.variable(same), changed);
      } else {
        for (int other : others.keySet()) {
          // A known variable corresponds to several variables; its declaration is compared with one
          // of them.
          if (!known.get(other)) {
            known.set(other);
            addIfChanged(variable, after.variable(other), changed);
          }
        }
      }
      for (int other : others.keySet()) {
        known.set(other);
      }
    }
    ImmutableList.Builder<VariableChange> added = ImmutableList.builder();
    for (Variable variable : after.variables()) {
      if (!known.get(variable.index())) {
        added.add(new VariableChange(Kind.ADDED, variable.id(), ImmutableList.of()));
      }
    }
    return ImmutableList.<VariableChange>builder()
        .addAll(removed.build())
        .addAll(added.build())
        .addAll(changed.build())
        .build();
  }

  private static void addIfChanged(
      Variable before, Variable after, ImmutableList.Builder<VariableChange> changed) {
    if (before.hasSameDeclaration(after)) {
      return;
    }
    List<String> details = new ArrayList<>();
    if (before.kind() != after.kind()) {
      details.add("is " + after.kind() + " instead of " + before.kind());
    } else if (!before.tensorType().equals(after.tensorType())) {
      details.add("is " + type(after) + " instead of " + type(before));
    }
    if (before.isPersistable() != after.isPersistable()) {
      details.add(after.isPersistable() ? "is persistable" : "is not persistable any more");
    }
    if (before.needsFeedCheck() != after.needsFeedCheck()) {
      details.add(
          after.needsFeedCheck() ? "is checked as a feed" : "is not checked as a feed any more");
    }
    if (details.isEmpty()) {
      details.add("is declared otherwise");
    }
    changed.add(new VariableChange(Kind.CHANGED, after.id(), ImmutableList.copyOf(details)));
  }

  private static String type(Variable variable) {
    return variable.tensorType().map(Object::toString).orElse("without a type");
  }
}
