package dev.sublet.sharing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.liveness.IntervalTable;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds groups of variables that can share a name, and rewrites the program: the front door. */
public final class VariableSharing {

  /** Tests of one variable against one group that the global policy may spend: a floor … */
  private static final long MIN_GLOBAL_TESTS = 4_000_000;

  /** … and so many for each variable. */
  private static final long GLOBAL_TESTS_PER_VARIABLE = 64;

  /** How often only the tenants where a loss of shapes begins are set apart. */
  private static final int CAREFUL_ROUNDS = 4;

  /** How often tenants that hide shapes are set apart before all variables are. */
  private static final int MAX_ROUNDS = 8;

  private final Program program;
  private final Liveness liveness;
  private final Sizes sizes;
  private final OperatorCatalog catalog;
  private final SharingOptions options;
  private final DiagnosticLog log;
  private final IntervalTable ranges;
  private final Candidates candidates;

  /** The members of groups that were dissolved since none could give its name. */
  private final BitSet unnameable = new BitSet();

  private VariableSharing(
      ProgramFacts facts,
      IntervalTable ranges,
      ShapeCare care,
      SharingOptions options,
      DiagnosticLog log) {
    this.program = facts.program();
    this.liveness = facts.liveness();
    this.sizes = facts.sizes();
    this.catalog = facts.catalog();
    this.options = options;
    this.log = log;
    this.ranges = ranges;
    this.candidates = Candidates.find(facts, ranges, care, options.level());
  }

  /**
   * Shares names. O(n log n) for the pool; the global policy is capped, and says so when the cap
   * ends it. Where shapes of feeds are given, variables whose sizes compare in every run are
   * grouped, and those whose sizes compare in this run; the smaller result is taken. Where a shared
   * name keeps shapes of the rewritten program from being inferred, its tenants are set apart and
   * the rest is shared anew.
   *
   * @param facts the program as it is
   */
  public static Sharing share(ProgramFacts facts, SharingOptions options, DiagnosticLog log) {
    return explain(facts, options, log).sharing();
  }

  /** The same with what is needed to say of each variable why it shares its name, or does not. */
  public static SharingReasons explain(
      ProgramFacts facts, SharingOptions options, DiagnosticLog log) {
    SharingReasons inEveryRun = share(facts, options, ShapeCare.none(false), log);
    if (facts.shapes().feedShapes().isEmpty()) {
      return inEveryRun;
    }
    // More variables can be compared for the given shapes, which need not lead to a better result.
    SharingReasons inThisRun = share(facts, options, ShapeCare.none(true), log);
    return inThisRun.sharing().bytesAfter() <= inEveryRun.sharing().bytesAfter()
        ? inThisRun
        : inEveryRun;
  }

  private static SharingReasons share(
      ProgramFacts facts, SharingOptions options, ShapeCare firstCare, DiagnosticLog log) {
    IntervalTable ranges = NameRanges.find(facts.liveness());
    ShapeCare care = firstCare;
    Program original = facts.program();
    for (int round = 0; ; round++) {
      DiagnosticLog roundLog = new DiagnosticLog();
      SharingReasons reasons = new VariableSharing(facts, ranges, care, options, roundLog).share();
      Sharing sharing = reasons.sharing();
      ShapeLosses losses =
          ShapeLosses.find(original, facts.sizes(), sharing.program(), infer(sharing, facts));
      BitSet hiding = round < CAREFUL_ROUNDS ? losses.first() : losses.all();
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
            "no names were shared: the shapes behind them could not be inferred");
        hiding.set(0, original.variableCount());
      }
      care = care.after(hiding);
    }
  }

  private static Sizes infer(Sharing sharing, ProgramFacts facts) {
    Program program = sharing.program();
    OperatorCatalog catalog = facts.catalog();
    return ShapeInference.infer(
        program, catalog, LodCarriers.find(program, catalog), facts.shapes());
  }

  private SharingReasons share() {
    InPlaceTable inPlace =
        options.inPlace()
            ? InPlaceTable.find(liveness.graph(), catalog, candidates, ranges)
            : InPlaceTable.empty(program.variableCount());
    Grouping apart = Grouping.apart(candidates);
    Grouping pool =
        options.policy() == SharingOptions.Policy.GLOBAL
            ? null
            : nameable(PoolPolicy.group(candidates, ranges, inPlace, program.variableCount()));
    Grouping global = options.policy() == SharingOptions.Policy.POOL ? null : global(inPlace);
    if (pool == null && global == null) {
      pool = nameable(PoolPolicy.group(candidates, ranges, inPlace, program.variableCount()));
    }
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
        rewrite(best, apart, policy), candidates, ranges, inPlace, best, unnameable);
  }

  private @Nullable Grouping global(InPlaceTable inPlace) {
    long maxTests = Math.max(MIN_GLOBAL_TESTS, GLOBAL_TESTS_PER_VARIABLE * program.variableCount());
    Grouping global = GlobalPolicy.group(candidates, ranges, inPlace, maxTests);
    if (global == null) {
      log.warn(
          Location.nowhere(),
          "the global policy was given up after "
              + maxTests
              + " tests on so large a program; the pool policy was used");
      return null;
    }
    return nameable(global);
  }

  /** Dissolves the groups that no member can give its name to. */
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

  /** The member that keeps its name; else the first declared one that no other block shadows. */
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
        editor.declareLike(giver, largest(group, giver));
        if (!candidates.keepsName(giver)) {
          editor.declareLodLevel(giver, lodLevel(group));
        }
      }
    }
    BitSet removed = removeUnused(editor);
    long before = bytesInUse(liveness, sizes);
    return new Sharing(
        editor.build(),
        policy,
        renamings.buildOrThrow(),
        before,
        before - apart.knownBytes() + grouping.knownBytes(),
        openNames(),
        openNames() - openGuests(grouping),
        leftAlone(shares, removed),
        removed.cardinality());
  }

  /** The member whose declaration the group gets: the largest; the name giver's if it is one. */
  private int largest(List<Integer> group, int giver) {
    int largest = giver;
    for (int variable : group) {
      long difference = candidates.bytes(variable) - candidates.bytes(largest);
      if (difference > 0 || (difference == 0 && largest != giver && variable < largest)) {
        largest = variable;
      }
    }
    return largest;
  }

  /** The levels that the group's declaration must speak of: the most that a member has. */
  private int lodLevel(List<Integer> group) {
    return group.stream().mapToInt(candidates::lodLevel).max().orElseThrow();
  }

  /**
   * Removes the declarations that nothing refers to. Parameter files depend on persistable ones.
   */
  private BitSet removeUnused(ProgramEditor editor) {
    BitSet used = new BitSet();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.inputCount(); i++) {
          setIfVariable(used, operation.input(i));
        }
        for (int i = 0; i < operation.outputCount(); i++) {
          setIfVariable(used, operation.output(i));
        }
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

  private static void setIfVariable(BitSet set, int variable) {
    if (variable != Program.NO_VARIABLE) {
      set.set(variable);
    }
  }

  /**
   * The sum over all names that a program uses and does not keep, as far as sizes are known.
   * O(variables).
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

  /** Names in use whose size is not known. */
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

  /** How many names of unknown size are given up. */
  private int openGuests(Grouping grouping) {
    int count = 0;
    for (List<Integer> group : grouping.groups()) {
      count += candidates.isSizeKnown(group.get(0)) ? 0 : group.size() - 1;
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
