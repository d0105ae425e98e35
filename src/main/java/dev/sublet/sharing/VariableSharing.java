package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.concurrent.SideTask;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.fusion.GraphPasses;
import dev.sublet.fusion.ShapeDemand;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.liveness.Liveness;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.shape.Sizes;
import dev.sublet.sharing.SharingOptions.FusionMode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The front door of the package: finds groups of variables that can share a name, and rewrites. */
public final class VariableSharing {

  /** The minimum budget of the global policy, in tests of one variable against one group. */
  private static final long MIN_GLOBAL_TESTS = 4_000_000;

  /** The budget of the global policy per variable, if that amounts to more than the minimum. */
  private static final long GLOBAL_TESTS_PER_VARIABLE = 64;

  /** The number of rounds that set apart only the variables where a loss of shapes begins. */
  private static final int CAREFUL_ROUNDS = 4;

  /** The number of rounds after which all variables are set apart. */
  private static final int MAX_ROUNDS = 8;

  private final ProgramFacts facts;
  private final Program program;
  private final Liveness liveness;
  private final Sizes sizes;
  private final NameLimits limits;
  private final SharingOptions options;
  private final DiagnosticLog log;
  private final NameRanges names;
  private final Candidates candidates;

  /** The members of groups that were dissolved because no member could give its name. */
  private final BitSet unnameable = new BitSet();

  /**
   * The arguments of the first operator of the rewritten program that does not accept the shapes of
   * its inputs.
   */
  private final BitSet refused = new BitSet();

  private VariableSharing(
      ProgramFacts facts,
      NameRanges names,
      ShapeCare care,
      NameLimits limits,
      SharingOptions options,
      DiagnosticLog log) {
    this.facts = facts;
    this.program = facts.program();
    this.liveness = facts.liveness();
    this.sizes = facts.sizes();
    this.limits = limits;
    this.options = options;
    this.log = log;
    this.names = names;
    this.candidates = Candidates.find(facts, names, care, limits, options.level());
  }

  /**
   * Shares names.
   *
   * <p>If feed shapes are given, shares twice and keeps the smaller result: once among variables
   * whose sizes compare alike in every run, and once among all variables whose sizes compare in
   * this run. If extents are still open, does the same for a typical run, see {@link
   * SharingOptions#typical}. If a shared name prevents the inference of shapes of the rewritten
   * program, or its declaration contradicts an operator, the variables of that name are set apart,
   * and the rest is shared again.
   *
   * <p>O(n log n) for the pool. The global policy has a budget of tests, and logs a warning if the
   * budget ends it.
   *
   * @param facts the original program
   */
  public static Sharing share(ProgramFacts facts, SharingOptions options, DiagnosticLog log) {
    return share(facts, NameLimits.none(), options, log);
  }

  /** Does the same within further limits. */
  public static Sharing share(
      ProgramFacts facts, NameLimits limits, SharingOptions options, DiagnosticLog log) {
    return explain(facts, limits, options, log).sharing();
  }

  /** Shares names, and also records why each variable shares its name or does not. */
  public static SharingReasons explain(
      ProgramFacts facts, SharingOptions options, DiagnosticLog log) {
    return explain(facts, NameLimits.none(), options, log);
  }

  private static SharingReasons explain(
      ProgramFacts facts, NameLimits limits, SharingOptions options, DiagnosticLog log) {
    Sizes sizes = facts.sizes();
    SharingReasons best = share(facts, limits, options, ShapeCare.none(sizes, false), log);
    // For one run, more variables can be compared, but the result is not always smaller.
    if (!facts.shapes().feedShapes().isEmpty() || !facts.shapes().lod().isEmpty()) {
      ShapeCare care = ShapeCare.none(sizes, /* isForGivenShapes= */ true);
      best = smaller(best, share(facts, limits, options, care, log), sizes);
    }
    Optional<TypicalRun> typical = TypicalRun.find(facts, options.typical(), log);
    if (typical.isPresent()) {
      Sizes run = typical.get().sizes();
      ShapeCare care = ShapeCare.none(run, /* isForGivenShapes= */ true);
      best = smaller(best, share(facts, limits, options, care, log), run);
    }
    return best;
  }

  /** The result whose names take fewer bytes in a run; on a tie, the second one. */
  private static SharingReasons smaller(SharingReasons first, SharingReasons second, Sizes run) {
    return second.bytesSaved(run) >= first.bytesSaved(run) ? second : first;
  }

  private static SharingReasons share(
      ProgramFacts facts,
      NameLimits limits,
      SharingOptions options,
      ShapeCare firstCare,
      DiagnosticLog log) {
    ControlFlowGraph graph = facts.liveness().graph();
    GraphPasses passes =
        options.fusion() == FusionMode.SAFE ? GraphPasses.find(graph) : GraphPasses.none(graph);
    NameRanges names = NameRanges.find(facts.liveness(), passes);
    ShapeCare care = firstCare;
    Program original = facts.program();
    for (int round = 0; ; round++) {
      DiagnosticLog roundLog = new DiagnosticLog();
      VariableSharing sharer = new VariableSharing(facts, names, care, limits, options, roundLog);
      SharingReasons reasons = sharer.share();
      Sharing sharing = reasons.sharing();
      ShapeLosses losses =
          ShapeLosses.find(original, facts.sizes(), sharing.program(), sharing.facts().sizes());
      BitSet hiding = round < CAREFUL_ROUNDS ? losses.first() : losses.all();
      hiding.or(sharer.refused);
      if (hiding.isEmpty()) {
        log.addAll(roundLog);
        return reasons;
      }
      if (round > MAX_ROUNDS) {
        throw new IllegalStateException("shapes got lost although no name is shared: " + hiding);
      }
      if (round == MAX_ROUNDS) {
        log.warn(
            Location.nowhere(),
            "no names were shared: the shapes after the sharing could not be inferred");
        hiding.set(0, original.variableCount());
      }
      care = care.after(hiding);
    }
  }

  /** The facts about a rewritten program, even if an operator does not accept its inputs. */
  private ProgramFacts factsAbout(Program rewritten) {
    try {
      return facts.renamed(rewritten);
    } catch (ProgramException e) {
      // The original was accepted, so the declaration of a shared name is at fault.
      addArguments(e.diagnostics().get(0).location(), refused);
      return facts.renamedLeniently(rewritten);
    }
  }

  /** Adds the arguments of the operator at a place; if no operator is there, all variables. */
  private void addArguments(Location place, BitSet variables) {
    if (place.block() < 0 || place.operation() < 0) {
      variables.set(0, program.variableCount());
      return;
    }
    Operation operation = program.block(place.block()).operations().get(place.operation());
    operation.addArgumentsTo(variables);
  }

  private SharingReasons share() {
    InPlaceTable inPlace =
        options.inPlace()
            ? InPlaceTable.find(liveness.graph(), facts.catalog(), candidates, names)
            : InPlaceTable.empty(program.variableCount());
    IntervalTable occupied = names.underPasses(inPlace);
    Grouping apart = Grouping.apart(candidates);
    SideTask<Grouping> byPool =
        SideTask.start(
            () -> PoolPolicy.group(candidates, occupied, inPlace, program.variableCount()));
    Grouping global =
        options.policy() == SharingOptions.Policy.POOL ? null : global(occupied, inPlace);
    boolean isPoolWanted = options.policy() != SharingOptions.Policy.GLOBAL || global == null;
    Grouping pool = isPoolWanted ? nameable(byPool.join()) : null;
    Grouping best = apart;
    String policy = "none";
    if (pool != null && pool.bytes() < best.bytes()) {
      best = pool;
      policy = "pool";
    }
    if (global != null && global.bytes() < best.bytes()) {
      best = global;
      policy = "global";
    }
    return new SharingReasons(
        rewrite(best, apart, policy), candidates, occupied, inPlace, best, unnameable);
  }

  private @Nullable Grouping global(IntervalTable occupied, InPlaceTable inPlace) {
    long maxTests = Math.max(MIN_GLOBAL_TESTS, GLOBAL_TESTS_PER_VARIABLE * program.variableCount());
    Grouping global = GlobalPolicy.group(candidates, occupied, inPlace, maxTests);
    if (global == null) {
      log.warn(
          Location.nowhere(),
          "the global policy was given up: "
              + maxTests
              + " tests of a variable against a group do not suffice for so large a program; the"
              + " pool policy was used");
      return null;
    }
    return nameable(global);
  }

  /** Dissolves the groups in which no member can give its name to the group. */
  private Grouping nameable(Grouping grouping) {
    List<List<Integer>> groups = new ArrayList<>();
    for (List<Integer> group : grouping.groups()) {
      if (group.size() == 1 || nameGiver(group) != Program.NO_VARIABLE) {
        groups.add(group);
      } else {
        for (int variable : group) {
          groups.add(List.of(variable));
          unnameable.set(variable);
        }
      }
    }
    return Grouping.of(groups, candidates);
  }

  /** The member that names the group: one that keeps its name, else the first unshadowed one. */
  private int nameGiver(List<Integer> group) {
    int giver = Program.NO_VARIABLE;
    for (int variable : group) {
      if (candidates.keepsName(variable)) {
        return candidates.canNameGroup(variable) ? variable : Program.NO_VARIABLE;
      }
      if (candidates.canNameGroup(variable) && (giver < 0 || variable < giver)) {
        giver = variable;
      }
    }
    return giver;
  }

  private Sharing rewrite(Grouping grouping, Grouping apart, String policy) {
    ProgramEditor editor = ProgramEditor.of(program);
    ImmutableMap.Builder<VariableId, VariableId> renamings = ImmutableMap.builder();
    BitSet shares = new BitSet();
    for (List<Integer> group : grouping.groups()) {
      if (group.size() > 1) {
        int giver = nameGiver(group);
        for (int variable : group) {
          shares.set(variable);
          if (variable != giver) {
            editor.merge(variable, giver);
            renamings.put(program.variable(variable).id(), program.variable(giver).id());
          }
        }
        editor.declareLike(giver, declaring(group, giver));
        if (!candidates.keepsName(giver)) {
          editor.declareLodLevel(giver, lodLevel(group));
        }
      }
    }
    BitSet removed = removeUnused(editor);
    long before = bytesInUse(liveness, sizes);
    return new Sharing(
        factsAbout(editor.build()),
        policy,
        renamings.buildOrThrow(),
        before,
        before - knownBytes(apart) + knownBytes(grouping),
        openNames(),
        openNames() - openGuests(grouping),
        leftAlone(shares, removed),
        removed.cardinality(),
        limits.isAny());
  }

  /**
   * The member whose declaration the group gets: the largest; on a tie, one whose shape serves all,
   * if possible the name giver.
   */
  private int declaring(List<Integer> group, int giver) {
    ShapeDemand demand = ShapeDemand.NONE;
    for (int variable : group) {
      demand = requireNonNull(demand.and(candidates.declaration(variable).demand()));
    }
    int largest = Program.NO_VARIABLE;
    for (int variable : group) {
      if (demand.isMetBy(program.variable(variable).tensorType().orElseThrow())) {
        long difference =
            largest < 0
                ? 1
                : candidates.declaration(variable).bytes()
                    - candidates.declaration(largest).bytes();
        boolean isFirst = variable == giver || (largest != giver && variable < largest);
        if (difference > 0 || (difference == 0 && isFirst)) {
          largest = variable;
        }
      }
    }
    return largest;
  }

  /** The number of LoD levels to declare for a group: the maximum of its members. */
  private int lodLevel(List<Integer> group) {
    return group.stream().mapToInt(candidates::lodLevel).max().orElseThrow();
  }

  /**
   * Removes the declarations without references, except persistables, on which parameter files
   * depend.
   */
  private BitSet removeUnused(ProgramEditor editor) {
    BitSet used = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        operation.addArgumentsTo(used);
        for (AttributeReference reference : program.attributeReferences(operation)) {
          used.set(reference.variable());
        }
      }
    }
    BitSet removed = new BitSet();
    ControlFlowGraph graph = liveness.graph();
    for (Variable variable : program.variables()) {
      int index = variable.index();
      if (!used.get(index)
          && !graph.accesses().isAccessed(index)
          && !graph.pinned().isPinned(index)
          && !liveness.observation().keepsName(index)) {
        editor.remove(index);
        removed.set(index);
      }
    }
    return removed;
  }

  /**
   * Returns the bytes of all names that a program uses, except persistables and names of unknown
   * size. O(variables).
   *
   * @throws ArithmeticException if the sum does not fit 64 bits
   */
  public static long bytesInUse(Liveness liveness, Sizes sizes) {
    long sum = 0;
    for (Variable variable : liveness.graph().program().variables()) {
      int index = variable.index();
      if (!variable.isPersistable()
          && liveness.graph().accesses().isAccessed(index)
          && sizes.isKnown(index)) {
        sum = Math.addExact(sum, sizes.bytes(index));
      }
    }
    return sum;
  }

  /** The number of names in use whose size is unknown. */
  private int openNames() {
    int count = 0;
    for (Variable variable : program.variables()) {
      int index = variable.index();
      boolean isOpen = variable.tensorType().isPresent() && !sizes.isKnown(index);
      if (isOpen && !variable.isPersistable() && liveness.graph().accesses().isAccessed(index)) {
        count++;
      }
    }
    return count;
  }

  /** The bytes of the groups of which all members have a known size. */
  private long knownBytes(Grouping grouping) {
    long sum = 0;
    for (List<Integer> group : grouping.groups()) {
      long largest = 0;
      boolean isKnown = true;
      for (int variable : group) {
        largest = Math.max(largest, sizes.bytes(variable));
        isKnown &= sizes.isKnown(variable);
      }
      sum += isKnown ? largest : 0;
    }
    return sum;
  }

  /** The number of names of unknown size that a grouping saves. */
  private int openGuests(Grouping grouping) {
    int count = 0;
    for (List<Integer> group : grouping.groups()) {
      int open = 0;
      for (int variable : group) {
        open += sizes.isKnown(variable) ? 0 : 1;
      }
      count += Math.max(0, open - 1);
    }
    return count;
  }

  private ImmutableList<LeftAlone> leftAlone(BitSet shares, BitSet removed) {
    ImmutableList.Builder<LeftAlone> leftAlone = ImmutableList.builder();
    for (Variable variable : program.variables()) {
      int index = variable.index();
      if (!shares.get(index) && !removed.get(index) && !variable.isPersistable()) {
        String reason = candidates.reason(index);
        if (reason.isEmpty() && liveness.observation().isObserved(index)) {
          reason = liveness.observation().reason(index);
        }
        leftAlone.add(
            new LeftAlone(
                variable.id(),
                reason.isEmpty() ? "no variable of its block fits beside it" : reason));
      }
    }
    return leftAlone.build();
  }
}
