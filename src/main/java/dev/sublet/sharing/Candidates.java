package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.PinnedVariables;
import dev.sublet.fusion.ShapeDemand;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.Observation;
import dev.sublet.operator.spec.InPlacePair;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.TensorType;
import dev.sublet.program.Variable;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The variables that may share a name, divided into classes. Only candidates of one class can share
 * a name with each other.
 *
 * <p>Two candidates of one class have the same declaring block, data type and memory space, and at
 * level {@code EXACT} the same declared extents. Their sizes compare alike in every run; for given
 * shapes, known sizes need only compare in that run. A variable whose declaration has open extents
 * is compared by a typical run; its group then needs a declaration that states no size. A variable
 * whose rows are those of sequences is compared by a typical run, too; its group needs the
 * declaration with the most elements per row. Every variable that is no candidate has a reason.
 */
final class Candidates {

  /** The properties that all members of a class have in common. */
  private record ClassKey(
      int block,
      Object type,
      String place,
      boolean isComparable,
      Object unit,
      String joinedShape,
      int part) {}

  /**
   * A declaration that states no size comes before all others, because it suits occupants of any
   * size. Added to its bytes, which are fewer.
   */
  private static final long STATES_NO_SIZE = Long.MAX_VALUE / 2;

  /**
   * The unit of sizes that only a typical run knows, because they depend on sequences. A
   * declaration of such a variable states the elements of one row.
   */
  private static final String TYPICAL = "typical";

  private final Program program;
  private final int[] classes;
  private final long[] weights;
  private final boolean[] keepsName;
  private final boolean[] isObserved;
  private final boolean[] canNameGroup;
  private final @Nullable Declaration[] declarations;
  private final @Nullable String[] reasons;
  private final Sizes sizes;

  /** The sizes of the run by which variables with open declarations are compared. */
  private final Sizes typical;

  private final LodCarriers lod;

  /** The variables whose readers may find the LoD that the name had before. */
  private final BitSet showsOldLod;

  private ImmutableList<ClassKey> keys = ImmutableList.of();

  private Candidates(ProgramFacts facts, Sizes typical) {
    this.program = facts.program();
    this.sizes = facts.sizes();
    this.typical = typical;
    this.lod = facts.lod();
    this.showsOldLod = showingOldLod(program, lod, facts.liveness().graph().accesses());
    this.classes = new int[program.variableCount()];
    this.weights = new long[program.variableCount()];
    this.keepsName = new boolean[program.variableCount()];
    this.isObserved = new boolean[program.variableCount()];
    this.canNameGroup = new boolean[program.variableCount()];
    this.declarations = new Declaration[program.variableCount()];
    this.reasons = new String[program.variableCount()];
  }

  private static BitSet showingOldLod(Program program, LodCarriers lod, AccessTable accesses) {
    BitSet showing = new BitSet();
    for (int variable = 0; variable < program.variableCount(); variable++) {
      boolean isRead = false;
      for (int access = accesses.begin(variable); access < accesses.end(variable); access++) {
        isRead |= accesses.reads(access);
      }
      showing.set(variable, isRead && !lod.isAlwaysReplaced(variable));
    }
    return showing;
  }

  static Candidates find(
      ProgramFacts facts,
      NameRanges names,
      ShapeCare care,
      NameLimits limits,
      SharingOptions.Level level) {
    Liveness liveness = facts.liveness();
    Sizes sizes = facts.sizes();
    MemorySpaces places = facts.places();
    Program program = facts.program();
    Candidates candidates = new Candidates(facts, care.typical());
    Map<String, Integer> declarations = new HashMap<>();
    for (Variable variable : program.variables()) {
      declarations.merge(variable.name(), 1, Integer::sum);
    }
    Map<ClassKey, Integer> keys = new LinkedHashMap<>();
    for (Variable variable : program.variables()) {
      int index = variable.index();
      String reason = candidates.reasonToLeave(variable, liveness, names.asWritten());
      if (reason == null && care.apart().get(index)) {
        reason = "a shared name would hide shapes that are inferred from it";
      }
      if (reason == null && limits.apart().get(index)) {
        reason = limits.reason();
      }
      candidates.reasons[index] = reason;
      candidates.classes[index] = -1;
      candidates.weights[index] = candidates.compared(variable).weight(index);
      candidates.canNameGroup[index] = declarations.getOrDefault(variable.name(), 0) == 1;
      candidates.keepsName[index] = liveness.observation().keepsName(index);
      candidates.isObserved[index] = liveness.observation().isObserved(index);
      if (reason != null) {
        continue;
      }
      TensorType declared = variable.tensorType().orElseThrow();
      // An open declaration counts as larger than any closed one, so size alone does not protect
      // the declaration of a variable that keeps its name.
      boolean keepsDeclaration =
          candidates.keepsName[index]
              && (names.passes().isAny() || candidates.typical != candidates.sizes);
      boolean isComparable = candidates.compared(variable).isKnown(index);
      candidates.declarations[index] =
          new Declaration(
              declared,
              candidates.declaredWeight(variable, declared),
              keepsDeclaration ? ShapeDemand.allOf(declared) : names.passes().demand(index));
      Object type =
          level == SharingOptions.Level.EXACT
              ? List.of(sizes.dataType(index), declared.dims())
              : sizes.dataType(index);
      ClassKey key =
          new ClassKey(
              variable.block(),
              type,
              places.place(index),
              isComparable,
              candidates.unit(variable, care),
              care.isStrict() ? joinedShape(variable, liveness, sizes) : "",
              limits.part(index));
      candidates.classes[index] = keys.computeIfAbsent(key, k -> keys.size());
    }
    candidates.keys = ImmutableList.copyOf(keys.keySet());
    return candidates;
  }

  /**
   * The shape that others must have to share a name with a variable, so that shapes can still be
   * inferred from the rewritten program; empty if any shape will do.
   *
   * <p>Only a variable that an inner block writes has such a shape. If two paths left different
   * variables in one name, the shape after their join would be unknown, and the declaration of the
   * name states the shape of only one of them.
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

  /** The first reason why a variable must not share its name, or null if it is a candidate. */
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
    if (lod.carries(index) && showsOldLod.get(index)) {
      return "may carry sequence information (LoD) that not every writer of it replaces";
    }
    Sizes compared = compared(variable);
    if (compared.weight(index) < 0) {
      return "size unknown: " + compared.reason(index);
    }
    return compared.weight(index) == 0 ? "zero bytes" : null;
  }

  /**
   * The sizes to compare a variable by: those of the typical run if this run knows its size, and
   * its declaration states none that holds for every run; else those of every run, which the proof
   * demands of the declaration of its name.
   */
  private Sizes compared(Variable variable) {
    int index = variable.index();
    boolean isOfSequences = !sizes.isKnown(index) && hasOpenRows(variable);
    return (isOpen(variable) || isOfSequences) && typical.isKnown(index) ? typical : sizes;
  }

  private static boolean hasOpenRows(Variable variable) {
    return variable.tensorType().filter(TensorType::hasOpenRows).isPresent();
  }

  private static boolean isOpen(Variable variable) {
    return variable.tensorType().filter(type -> TypicalRun.isOpen(type.dims())).isPresent();
  }

  /**
   * A number by which {@link Declaration} compares declarations: the weight of the variable, or, if
   * a typical run alone knows the size, what the declaration states of it.
   */
  private long declaredWeight(Variable variable, TensorType declared) {
    int index = variable.index();
    if (compared(variable) == sizes) {
      return weights[index];
    }
    return isOpen(variable)
        ? weights[index] + STATES_NO_SIZE
        : Math.min(declared.minElements(), STATES_NO_SIZE);
  }

  /** The unit of a variable's size: sizes of equal units compare. */
  private Object unit(Variable variable, ShapeCare care) {
    int index = variable.index();
    Sizes compared = compared(variable);
    if (!care.isForGivenShapes() || !compared.isKnown(index)) {
      return compared.measure(index).orElse(index);
    }
    return sizes.isKnown(index) || isOpen(variable) ? "" : TYPICAL;
  }

  boolean isCandidate(int variable) {
    return classes[variable] >= 0;
  }

  /** The number of the program's variables. Candidates are dense indices of variables. */
  int variableCount() {
    return classes.length;
  }

  /** The class of a candidate, from 0 to {@link #classCount} - 1, ordered by first declaration. */
  int classOf(int variable) {
    return classes[variable];
  }

  int classCount() {
    return keys.size();
  }

  /** Whether the candidate must keep its name: it is observed, or a feed with reusable storage. */
  boolean keepsName(int variable) {
    return keepsName[variable];
  }

  /** Whether the variable must have its value at the end of the program, or of its block. */
  boolean isObserved(int variable) {
    return isObserved[variable];
  }

  /** Whether no other block declares the candidate's name, so that others can be renamed to it. */
  boolean canNameGroup(int variable) {
    return canNameGroup[variable];
  }

  /** The declaration of a candidate, and what graph passes read of it. */
  Declaration declaration(int variable) {
    return requireNonNull(declarations[variable], "a candidate's declaration");
  }

  /**
   * Whether the candidate may carry LoD. If so, it shares a name only with candidates that bear
   * LoD.
   */
  boolean carriesLod(int variable) {
    return lod.carries(variable);
  }

  /**
   * Whether the candidate bears LoD: it can share a name with a carrier of LoD, because every
   * operator that writes it replaces the LoD, or because no operator reads it. A candidate that
   * keeps its name does not bear LoD, because it also keeps its declaration, which declares no LoD.
   */
  boolean bearsLod(int variable) {
    return !keepsName[variable] && !showsOldLod.get(variable);
  }

  /** The number of LoD levels in the candidate's declaration. */
  int lodLevel(int variable) {
    return program.variable(variable).tensorType().orElseThrow().lodLevel();
  }

  /**
   * The bytes of a candidate for the given feeds; if they are unknown, its weight relative to the
   * others of its class.
   */
  long bytes(int variable) {
    return weights[variable];
  }

  /** Whether the two sides of a pair have equally many bytes in every run. */
  boolean haveEqualBytes(Operation operation, InPlacePair pair) {
    return sizes.areSame(operation, pair);
  }

  /** The reason why a variable is no candidate; empty if it is one. */
  String reason(int variable) {
    String reason = reasons[variable];
    return reason == null ? "" : reason;
  }

  /**
   * The reason why a candidate is the only one of its class: the first property of the class in
   * which it differs from all other candidates. Not checked: that it is the only one. O(classes).
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
        key -> key.isComparable() != own.isComparable() || !key.unit().equals(own.unit()));
    return others.isEmpty()
        ? "no other variable of its block and type has a size that compares with its own in every"
            + " run"
        : "it is written in an inner block, and no other variable that can share has its shape";
  }

  /** The name of the data type, followed at level {@code EXACT} by the declared extents. */
  private static String typeName(ClassKey key) {
    return key.type() instanceof List<?> parts
        ? "" + parts.get(0) + parts.get(1)
        : key.type().toString();
  }

  /** The candidates of every class, in declaration order. */
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
