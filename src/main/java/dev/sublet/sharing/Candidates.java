package dev.sublet.sharing;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.PinnedVariables;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.Observation;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which variables may share a name at all, and with which others: two candidates of one class have
 * the same declaring block, data type and place (and, at level exact, the same declared type), and
 * sizes of which the larger one is the same in every run, unless shapes were given for one and the
 * sizes are known. Every other variable has a reason why it is left alone.
 */
final class Candidates {

  /** What all members of a group have in common. */
  private record ClassKey(
      int block,
      Object type,
      String place,
      boolean isSizeKnown,
      Object measure,
      String joinedShape) {}

  private final Program program;
  private final int[] classes;
  private final boolean[] keepsName;
  private final boolean[] isObserved;
  private final boolean[] canNameGroup;
  private final @Nullable String[] reasons;
  private final Sizes sizes;
  private final LodCarriers lod;
  private ImmutableList<ClassKey> keys = ImmutableList.of();

  private Candidates(Program program, Sizes sizes, LodCarriers lod) {
    this.program = program;
    this.sizes = sizes;
    this.lod = lod;
    this.classes = new int[program.variableCount()];
    this.keepsName = new boolean[program.variableCount()];
    this.isObserved = new boolean[program.variableCount()];
    this.canNameGroup = new boolean[program.variableCount()];
    this.reasons = new String[program.variableCount()];
  }

  static Candidates find(
      ProgramFacts facts, IntervalTable ranges, ShapeCare care, SharingOptions.Level level) {
    Liveness liveness = facts.liveness();
    Sizes sizes = facts.sizes();
    LodCarriers lod = facts.lod();
    MemorySpaces places = facts.places();
    Program program = facts.program();
    Candidates candidates = new Candidates(program, sizes, lod);
    Map<String, Integer> declarations = new HashMap<>();
    for (Variable variable : program.variables()) {
      declarations.merge(variable.name(), 1, Integer::sum);
    }
    Map<ClassKey, Integer> keys = new LinkedHashMap<>();
    for (Variable variable : program.variables()) {
      int index = variable.index();
      String reason = candidates.reasonToLeave(variable, liveness, ranges);
      if (reason == null && care.apart().get(index)) {
        reason = "a shared name would hide shapes that are inferred from it";
      }
      candidates.reasons[index] = reason;
      candidates.classes[index] = -1;
      candidates.canNameGroup[index] = declarations.getOrDefault(variable.name(), 0) == 1;
      candidates.keepsName[index] = liveness.observation().keepsName(index);
      candidates.isObserved[index] = liveness.observation().isObserved(index);
      if (reason != null) {
        continue;
      }
      Object type =
          level == SharingOptions.Level.EXACT
              ? List.of(sizes.dataType(index), variable.tensorType().orElseThrow().dims())
              : sizes.dataType(index);
      ClassKey key =
          new ClassKey(
              variable.block(),
              type,
              places.place(index),
              sizes.isKnown(index),
              care.isForGivenShapes() && sizes.isKnown(index)
                  ? ""
                  : sizes.measure(index).orElse(index),
              care.isStrict() ? joinedShape(variable, liveness, sizes) : "");
      candidates.classes[index] = keys.computeIfAbsent(key, k -> keys.size());
    }
    candidates.keys = ImmutableList.copyOf(keys.keySet());
    return candidates;
  }

  /**
   * What others must have in common with a variable so that its shapes can be inferred from the
   * rewritten program as well: where two paths join that leave different tenants in a name, the
   * shape behind them would be anybody's; and a declaration says the shape of one tenant only.
   */
  private static String joinedShape(Variable variable, Liveness liveness, Sizes sizes) {
    int index = variable.index();
    ControlFlowGraph graph = liveness.graph();
    AccessTable accesses = graph.accesses();
    int home = graph.regionOfBlock(variable.block());
    for (int access = accesses.begin(index); access < accesses.end(index); access++) {
      boolean inside = graph.regionOfNode(accesses.node(access)) != home;
      if (inside && accesses.writes(access)) {
        return sizes.dims(index).toString();
      }
    }
    return "";
  }

  /** Why a variable is left alone, or null if it is a candidate. The first reason that applies. */
  private @Nullable String reasonToLeave(
      Variable variable, Liveness liveness, IntervalTable ranges) {
    int index = variable.index();
    ControlFlowGraph graph = liveness.graph();
    Observation observation = liveness.observation();
    PinnedVariables pinned = graph.pinned();
    AccessTable accesses = graph.accesses();
    if (variable.isPersistable()) {
      return "persistable";
    }
    if (variable.kind() != Variable.Kind.TENSOR) {
      return "not a dense tensor";
    }
    if (pinned.isPinned(index)) {
      return pinned.pinReason(index);
    }
    if (!accesses.isAccessed(index) || ranges.isEmpty(index)) {
      return "not used";
    }
    if (observation.isObserved(index) && observation.isFeed(index)) {
      return "a feed";
    }
    if (observation.isObserved(index) && variable.block() != 0) {
      return observation.reason(index) + ", local to a block that runs inside";
    }
    if (lod.carries(index) && observation.keepsName(index)) {
      return "may carry sequence information (LoD), and is observed";
    }
    if (lod.carries(index) && !lod.isAlwaysReplaced(index)) {
      return "may carry sequence information (LoD) that not every writer of it replaces";
    }
    if (sizes.weight(index) < 0) {
      return "size unknown: " + sizes.reason(index);
    }
    return sizes.weight(index) == 0 ? "zero bytes" : null;
  }

  boolean isCandidate(int variable) {
    return classes[variable] >= 0;
  }

  /** The number of the program's variables; candidates are named by dense variable index. */
  int variableCount() {
    return classes.length;
  }

  /** The class of a candidate: 0 to {@link #classCount} - 1, by first declaration. */
  int classOf(int variable) {
    return classes[variable];
  }

  int classCount() {
    return keys.size();
  }

  /** Whether the candidate's name must stay: it is observed, or a feed whose storage is reused. */
  boolean keepsName(int variable) {
    return keepsName[variable];
  }

  /** Whether the variable's value must be there when the program, or its block, has ended. */
  boolean isObserved(int variable) {
    return isObserved[variable];
  }

  /** Whether no other block declares the candidate's name, so that others can be renamed to it. */
  boolean canNameGroup(int variable) {
    return canNameGroup[variable];
  }

  /**
   * Whether the candidate may carry LoD; then it shares a name only with those that can bear it.
   */
  boolean carriesLod(int variable) {
    return lod.carries(variable);
  }

  /**
   * Whether the candidate can share a name with one that carries LoD: whoever writes it replaces
   * that. One that keeps its name keeps its declaration too, which does not speak of LoD.
   */
  boolean bearsLod(int variable) {
    return lod.isAlwaysReplaced(variable) && !keepsName[variable];
  }

  /** The levels of LoD that the candidate is declared with. */
  int lodLevel(int variable) {
    return program.variable(variable).tensorType().orElseThrow().lodLevel();
  }

  /**
   * Bytes of a candidate for the given feeds; if they are unknown, by how much it is larger or
   * smaller than the others of its class.
   */
  long bytes(int variable) {
    return sizes.weight(variable);
  }

  /** Whether the candidate's bytes are known, or only how it compares with the others. */
  boolean isSizeKnown(int variable) {
    return sizes.isKnown(variable);
  }

  /** Whether the two sides of a pair have equally many bytes whatever the shapes of a run. */
  boolean haveEqualBytes(Operation operation, InPlacePair pair) {
    return sizes.areSame(operation, pair);
  }

  /** Why a variable is no candidate; empty if it is one. */
  String reason(int variable) {
    String reason = reasons[variable];
    return reason == null ? "" : reason;
  }

  /**
   * Why no other candidate is of this one's class, if that is so: the first thing that a class has
   * in common in which it differs from all others. O(classes).
   */
  String whyAlone(int variable) {
    ClassKey own = keys.get(classes[variable]);
    List<ClassKey> others = new ArrayList<>(keys);
    others.remove(own);
    others.removeIf(key -> key.block() != own.block());
    if (others.isEmpty()) {
      return "no other variable of its block can share its name";
    }
    others.removeIf(key -> !key.type().equals(own.type()));
    if (others.isEmpty()) {
      return "no other variable of its block that can share has the type " + typeName(own);
    }
    others.removeIf(key -> !key.place().equals(own.place()));
    if (others.isEmpty()) {
      return "no other variable of its block and type that can share is on the " + own.place();
    }
    others.removeIf(
        key -> key.isSizeKnown() != own.isSizeKnown() || !key.measure().equals(own.measure()));
    return others.isEmpty()
        ? "no other variable of its block and type has a size that compares with its own in every"
            + " run"
        : "it is written in an inner block, and no other variable that can share has its shape";
  }

  /** The data type, at level exact with the declared extents. */
  private static String typeName(ClassKey key) {
    return key.type() instanceof List<?> parts
        ? "" + parts.get(0) + parts.get(1)
        : key.type().toString();
  }

  /** The candidates of every class, each by declaration order. */
  List<List<Integer>> byClass() {
    List<List<Integer>> members = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      members.add(new ArrayList<>());
    }
    for (int variable = 0; variable < program.variableCount(); variable++) {
      if (classes[variable] >= 0) {
        members.get(classes[variable]).add(variable);
      }
    }
    return members;
  }
}
