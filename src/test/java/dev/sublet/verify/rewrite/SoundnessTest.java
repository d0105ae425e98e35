package dev.sublet.verify.rewrite;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.diag.ProgramException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.program.Variable;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.InferredSizes;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.plan.PlanValidator;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Whatever the validators accept computes the same, on many random paths, when it is run. Random
 * renamings and random plans are mostly wrong; enough of them are right for the test to mean
 * something, which is asserted.
 */
final class SoundnessTest {

  private static final int PROGRAMS = 1500;
  private static final int RUNS = 24;

  private final OperatorCatalog catalog = ProgramNotation.catalog();
  private final ProofOptions options =
      new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false);

  @Test
  void acceptedRenamingsComputeTheSame() {
    int accepted = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      String text = RandomProgram.generate(random);
      Program original = ProgramNotation.parse(text);
      Program rewritten = merge(original, random);
      if (validate(original, rewritten).isValid()) {
        accepted++;
        for (int run = 0; run < RUNS; run++) {
          NamedMemory first = new NamedMemory(original, original);
          NamedMemory second = new NamedMemory(rewritten, original);
          new ConcreteRun(original, first, run).run();
          new ConcreteRun(rewritten, second, run).run();
          int fetched = fetched(original);
          long expected = first.values[fetched];
          long actual = second.values[fetched(rewritten)];
          if (expected != ConcreteRun.UNDEFINED) {
            assertWithMessage("seed %s run %s\n%s\n%s", seed, run, text, rewritten.toMessage())
                .that(actual)
                .isEqualTo(expected);
          }
        }
      } else {
        assertThat(validate(original, original).toString()).isEqualTo("valid");
      }
    }
    assertThat(accepted).isGreaterThan(PROGRAMS / 20);
  }

  @Test
  void acceptedPlansComputeTheSame() {
    int accepted = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      String text = RandomProgram.generate(random);
      Program program = ProgramNotation.parse(text);
      MemoryPlan plan = plan(program, random);
      Sizes sizes = InferredSizes.of(program);
      MemorySpaces places = MemorySpaces.find(program, catalog, MemorySpaces.Target.CPU);
      ValidationResult result =
          PlanValidator.validate(program, plan, catalog, sizes, places, options);
      if (!result.isValid()) {
        continue;
      }
      accepted++;
      for (int run = 0; run < RUNS; run++) {
        NamedMemory named = new NamedMemory(program, program);
        ArenaMemory arena = new ArenaMemory(program, plan);
        new ConcreteRun(program, named, run).run();
        new ConcreteRun(program, arena, run).run();
        int fetched = fetched(program);
        if (named.values[fetched] != ConcreteRun.UNDEFINED) {
          assertWithMessage("seed %s run %s\n%s\n%s", seed, run, text, plan)
              .that(arena.read(fetched, 0))
              .isEqualTo(named.values[fetched]);
        }
      }
    }
    assertThat(accepted).isGreaterThan(PROGRAMS / 50);
  }

  private static int fetched(Program program) {
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("fetch")) {
        return operation.input(0);
      }
    }
    throw new AssertionError("no fetch");
  }

  private ValidationResult validate(Program original, Program rewritten) {
    return RewriteValidator.validate(
        original,
        rewritten,
        catalog,
        InferredSizes.of(original),
        MemorySpaces.find(original, catalog, MemorySpaces.Target.CPU),
        options);
  }

  /** Merges one or two variables into others of the same block. */
  private static Program merge(Program program, Random random) {
    ProgramEditor editor = ProgramEditor.of(program);
    int first = -1;
    for (int i = 0; i < 1 + random.nextInt(2); i++) {
      ImmutableList<Variable> variables =
          program.block(random.nextInt(program.blocks().size())).variables();
      Variable from = variables.get(random.nextInt(variables.size()));
      Variable into = variables.get(random.nextInt(variables.size()));
      boolean tensors = from.tensorType().isPresent() && into.tensorType().isPresent();
      if (tensors && from.index() != first && into.index() != first && from != into) {
        editor.merge(from.index(), into.index());
        first = from.index();
        i += into.index() == fetched(program) ? 1 : 0;
      }
    }
    return first < 0 ? program : tryBuild(program, editor);
  }

  private static Program tryBuild(Program program, ProgramEditor editor) {
    try {
      return editor.build();
    } catch (ProgramException e) {
      return program; // the second merge went into a variable that the first removed
    }
  }

  /** Distinct regions but for a few that collide, live at exactly the points of access. */
  private MemoryPlan plan(Program program, Random random) {
    NodeOrder nodes = NodeOrder.of(program, catalog);
    DefUses accesses = new DefUses(nodes, catalog, operation -> false);
    Map<Integer, TreeSet<Integer>> points = new HashMap<>();
    for (int node = 0; node < nodes.nodeCount(); node++) {
      accesses.visit(
          node,
          new DefUses.Visitor() {
            @Override
            public void read(int at, int variable) {
              points.computeIfAbsent(variable, v -> new TreeSet<>()).add(2 * at);
            }

            @Override
            public void write(int at, int variable, boolean kills) {
              points.computeIfAbsent(variable, v -> new TreeSet<>()).add(2 * at + 1);
            }
          });
    }
    points.computeIfAbsent(program.declared(0, "x"), v -> new TreeSet<>()).add(0);
    for (int observed : new int[] {program.declared(0, "x"), fetched(program)}) {
      points.computeIfAbsent(observed, v -> new TreeSet<>()).add(2 * nodes.nodeCount() - 1);
    }
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    long bytes = 16L * program.variableCount();
    for (Variable variable : program.variables()) {
      TreeSet<Integer> live = points.get(variable.index());
      if (variable.tensorType().isEmpty() || live == null) {
        unplanned.add(new Unplanned(variable.id(), "test"));
        continue;
      }
      ImmutableList.Builder<Interval> intervals = ImmutableList.builder();
      live.forEach(point -> intervals.add(new Interval(point, point + 1)));
      boolean collides = random.nextInt(8) == 0;
      long offset = collides ? 8L * random.nextInt((int) bytes / 8 - 1) : 16L * variable.index();
      allocations.add(new Allocation(variable.id(), 0, offset, 16, intervals.build()));
    }
    return new MemoryPlan(
        "",
        "test",
        1,
        ImmutableList.of(new Arena("cpu", bytes, 0, 8)),
        allocations.build(),
        unplanned.build(),
        ImmutableList.of());
  }

  /** One value a variable. What an output destroys is a number that nothing else has. */
  private static final class NamedMemory implements ConcreteRun.Memory {
    private final Program program;
    private final Program original;
    final long[] values;
    private long garbage = 1L << 40;

    NamedMemory(Program program, Program original) {
      this.program = program;
      this.original = original;
      this.values = new long[program.variableCount()];
    }

    @Override
    public long read(int variable, int point) {
      return values[variable];
    }

    @Override
    public void write(int variable, int point, long value) {
      values[variable] = value;
    }

    @Override
    public void undefine(int variable) {
      values[variable] = isOriginal() ? ConcreteRun.UNDEFINED : garbage++;
    }

    @SuppressWarnings("ReferenceEquality") // the same program twice is the original
    private boolean isOriginal() {
      return program == original;
    }

    @Override
    public void clobber(Operation operation, int variable, int point) {
      Operation counterpart = original.block(operation.block()).operations().get(operation.index());
      boolean inPlace = operation.type().equals("relu");
      for (int i = 0; i < counterpart.inputCount(); i++) {
        inPlace |= counterpart.input(i) == counterpart.output(0);
      }
      if (!inPlace) {
        values[variable] = isOriginal() ? ConcreteRun.UNDEFINED : garbage++;
      }
    }
  }

  /** Two cells a variable; a value that is not whole any more reads as garbage. */
  private static final class ArenaMemory implements ConcreteRun.Memory {
    private final long[] cells;
    private final int[] offsets;
    private long garbage = 1L << 40;

    ArenaMemory(Program program, MemoryPlan plan) {
      this.cells = new long[(int) plan.arenas().get(0).bytes() / 8 + 2];
      this.offsets = new int[program.variableCount()];
      Arrays.fill(cells, 3);
      for (Allocation allocation : plan.allocations()) {
        int variable =
            program.declared(allocation.variable().block(), allocation.variable().name());
        offsets[variable] = (int) allocation.offset() / 8;
      }
    }

    @Override
    public long read(int variable, int point) {
      int offset = offsets[variable];
      return cells[offset] == -cells[offset + 1] ? cells[offset] : garbage++;
    }

    @Override
    public void write(int variable, int point, long value) {
      cells[offsets[variable]] = value;
      cells[offsets[variable] + 1] = -value;
    }

    @Override
    public void undefine(int variable) {}

    @Override
    public void clobber(Operation operation, int variable, int point) {
      boolean inPlace = operation.type().equals("relu");
      for (int i = 0; i < operation.inputCount(); i++) {
        inPlace |= operation.input(i) == variable;
      }
      if (!inPlace) {
        write(variable, point, garbage++);
      }
    }
  }
}
