package dev.sublet.report;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.sublet.Explanation;
import dev.sublet.loop.LoopCarriedCopies;
import dev.sublet.loop.LoopCarriedCopy;
import dev.sublet.program.Block;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.report.format.JsonText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The loop-carried copies to or from a variable.
 *
 * @param explanation the facts about the program
 * @param variable the variable
 */
record LoopFacts(Explanation explanation, int variable) {

  /** Adds a line for each loop-carried copy to or from the variable. */
  void addTo(VariableReport.Lines lines) {
    for (LoopCarriedCopy carry : carries()) {
      boolean isTarget = carry.target() == variable;
      String what =
          isTarget
              ? "its next value is '" + name(carry.source()) + "'"
              : "it is the next value of '" + name(carry.target()) + "'";
      lines.add("loop", what + ", " + decision(carry) + ": " + carry.reason());
    }
  }

  /**
   * Describes the decision about a copy, for example {@code not copied, since both have one place}.
   */
  private static String decision(LoopCarriedCopy carry) {
    return switch (carry.decision()) {
      case CO_ALLOCATED -> "not copied, since both have one place";
      case ROTATED -> "not copied in plans, in which it has " + carry.repeat() + " slots in turn";
      case COPIED -> "copied at " + carry.copy();
    };
  }

  /**
   * The variable's index in the program whose names are shared. Loop coalescing may have given the
   * variable the name of the variable that it is copied to. {@link Program#NO_VARIABLE} if there is
   * no such variable any more.
   */
  int inSharedProgram() {
    Program program = explanation.shared().program();
    int original = variable;
    for (int hop = 0; hop <= explanation.analysis().program().variableCount(); hop++) {
      int found = program.declared(explanation.analysis().program().variable(original).id());
      int next = coalescedWith(original);
      boolean isUsed =
          found != Program.NO_VARIABLE
              && explanation.shared().liveness().graph().accesses().isAccessed(found);
      if (isUsed || next == Program.NO_VARIABLE) {
        return found;
      }
      original = next;
    }
    return Program.NO_VARIABLE;
  }

  /**
   * For each operator of the program whose names are shared, by block and index: its index in the
   * program that is explained. Empty if the indices are unknown, because the two programs differ by
   * more than the removed copies between variables that share a location. O(operators).
   */
  Optional<ImmutableList<ImmutableIntArray>> originalNumbers() {
    Program before = explanation.analysis().program();
    Program after = explanation.shared().program();
    if (before.blocks().size() != after.blocks().size()) {
      return Optional.empty();
    }
    Set<Operation> gone = new HashSet<>();
    for (LoopCarriedCopies loop : explanation.carries().loops()) {
      for (LoopCarriedCopy carry : loop.carries()) {
        if (carry.decision() == LoopCarriedCopy.Decision.CO_ALLOCATED) {
          gone.add(carry.copy());
        }
      }
    }
    ImmutableList.Builder<ImmutableIntArray> numbers = ImmutableList.builder();
    for (Block block : before.blocks()) {
      List<Operation> left = after.block(block.index()).operations();
      ImmutableIntArray.Builder indices = ImmutableIntArray.builder();
      int next = 0;
      for (Operation operation : block.operations()) {
        if (!gone.contains(operation)) {
          if (next == left.size() || !left.get(next).type().equals(operation.type())) {
            return Optional.empty();
          }
          indices.add(operation.index());
          next++;
        }
      }
      if (next != left.size()) {
        return Optional.empty();
      }
      numbers.add(indices.build());
    }
    return Optional.of(numbers.build());
  }

  private int coalescedWith(int source) {
    for (LoopCarriedCopies loop : explanation.carries().loops()) {
      for (LoopCarriedCopy carry : loop.carries()) {
        if (carry.source() == source && carry.decision() == LoopCarriedCopy.Decision.CO_ALLOCATED) {
          return carry.target();
        }
      }
    }
    return Program.NO_VARIABLE;
  }

  private List<LoopCarriedCopy> carries() {
    List<LoopCarriedCopy> found = new ArrayList<>();
    for (LoopCarriedCopies loop : explanation.carries().loops()) {
      for (LoopCarriedCopy carry : loop.carries()) {
        if (carry.target() == variable || carry.source() == variable) {
          found.add(carry);
        }
      }
    }
    return found;
  }

  private String name(int index) {
    return Names.display(explanation.analysis().program().variable(index).name());
  }

  JsonArray json() {
    JsonArray array = new JsonArray();
    Program program = explanation.analysis().program();
    for (LoopCarriedCopy carry : carries()) {
      JsonObject object = new JsonObject();
      object.add("target", JsonText.variable(program.variable(carry.target()).id()));
      object.add("source", JsonText.variable(program.variable(carry.source()).id()));
      object.addProperty("decision", Ascii.toLowerCase(carry.decision().name()));
      object.addProperty("repeat", carry.repeat());
      object.addProperty("reason", carry.reason());
      array.add(object);
    }
    return array;
  }
}
