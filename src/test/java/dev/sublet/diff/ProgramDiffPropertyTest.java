package dev.sublet.diff;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.Sets;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.diff.ProgramDifference.Kind;
import dev.sublet.diff.ProgramDifference.OperatorChange;
import dev.sublet.diff.ProgramDifference.Renaming;
import dev.sublet.loop.LoopMode;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.program.Attribute;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.program.VariableId;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.random.RandomPrograms;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/** Random programs against themselves, renamed, with an operator less, and optimized. */
final class ProgramDiffPropertyTest {

  private static final TranspileOptions OPTIONS =
      TranspileOptions.defaults()
          .withLoops(LoopMode.COPY)
          .withOffsets(
              OffsetOptions.defaults()
                  .withSearch(new PlannerOptions(0, /* timeoutMillis= */ 0, BufferOrder.SIZE)));

  @Provide
  Arbitrary<RandomPrograms.Sample> samples() {
    return RandomPrograms.samples();
  }

  @Property(tries = 300)
  @AddLifecycleHook(LongForm.class)
  void aProgram_isTheSameAsItself(@ForAll("samples") RandomPrograms.Sample sample) {
    Program again = Program.of(sample.program().toMessage());

    assertThat(ProgramDiff.between(sample.program(), again).isSame()).isTrue();
  }

  /** The names of variables that an operator reads or writes. */
  private static List<String> usedNames(Program program) {
    Set<String> names = new TreeSet<>();
    for (VariableId id : used(program)) {
      names.add(id.name());
    }
    // A declaration that nothing uses cannot be found again under another name.
    for (Variable variable : program.variables()) {
      if (!used(program).contains(variable.id())) {
        names.remove(variable.name());
      }
    }
    names.removeAll(unresolvedStrings(program));
    return new ArrayList<>(names);
  }

  /** Strings that name nothing where they are written: another text is another string. */
  private static Set<String> unresolvedStrings(Program program) {
    Set<String> unresolved = new HashSet<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        Set<String> resolved = new HashSet<>();
        for (AttributeReference reference : program.attributeReferences(operation)) {
          resolved.add(program.variable(reference.variable()).name());
        }
        for (Attribute attribute : operation.attributes()) {
          unresolved.addAll(Sets.difference(Set.copyOf(attribute.strings()), resolved));
        }
      }
    }
    return unresolved;
  }

  private static Set<VariableId> used(Program program) {
    Set<VariableId> used = new HashSet<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.inputCount() + operation.outputCount(); i++) {
          int variable =
              i < operation.inputCount()
                  ? operation.input(i)
                  : operation.output(i - operation.inputCount());
          if (variable != Program.NO_VARIABLE) {
            used.add(program.variable(variable).id());
          }
        }
      }
    }
    return used;
  }

  private static void checkRenaming(Program program, Map<String, String> names) {
    ProgramDifference difference = ProgramDiff.between(program, Renamer.rename(program, names));

    Set<String> expected = new TreeSet<>();
    for (Variable variable : program.variables()) {
      String name = names.getOrDefault(variable.name(), variable.name());
      if (!name.equals(variable.name())) {
        expected.add(variable.id() + " to " + variable.block() + ":" + name);
      }
    }
    Set<String> found = new TreeSet<>();
    for (Renaming renaming : difference.renamings()) {
      found.add(renaming.before() + " to " + renaming.after());
      assertThat(renaming.uses()).isEqualTo(renaming.allUses());
    }
    assertThat(found).isEqualTo(expected);
    assertWithMessage("%s", difference.operators()).that(difference.operators()).isEmpty();
    assertThat(difference.variables()).isEmpty();
    assertThat(difference.blocks()).isEmpty();
    assertThat(difference.isSame()).isEqualTo(expected.isEmpty());
  }

  @Property(tries = 300)
  @AddLifecycleHook(LongForm.class)
  void newNames_areFound_andNothingElse(
      @ForAll("samples") RandomPrograms.Sample sample, @ForAll long seed) {
    Random random = new Random(seed);
    Map<String, String> names = new HashMap<>();
    for (String name : usedNames(sample.program())) {
      if (random.nextBoolean()) {
        names.put(name, "new" + names.size());
      }
    }
    checkRenaming(sample.program(), names);
  }

  @Property(tries = 300)
  @AddLifecycleHook(LongForm.class)
  void changedOperators_areThose_ofARemoval(
      @ForAll("samples") RandomPrograms.Sample sample, @ForAll long seed) {
    Program program = sample.program();
    Random random = new Random(seed);
    Block block = program.block(random.nextInt(program.blocks().size()));
    if (block.operations().isEmpty()) {
      return;
    }
    Operation gone = block.operations().get(random.nextInt(block.operations().size()));
    if (!gone.blocks().isEmpty()) {
      return;
    }
    ProgramDesc.Builder message = program.toMessage().toBuilder();
    message.getBlocksBuilder(block.index()).removeOps(gone.index());

    ProgramDifference difference = ProgramDiff.between(program, Program.of(message.build()));

    List<OperatorChange> removed = new ArrayList<>();
    for (OperatorChange change : difference.operators()) {
      assertThat(change.kind()).isNotEqualTo(Kind.ADDED);
      if (change.kind() == Kind.REMOVED) {
        removed.add(change);
      }
    }
    assertThat(removed).hasSize(1);
    Operation found = removed.get(0).before().orElseThrow();
    assertThat(found.type()).isEqualTo(gone.type());
    assertThat(found.block()).isEqualTo(gone.block());
  }

  private static boolean readsWhatOnlyBlocksWrite(Program program, Operation operation) {
    Set<Integer> written = new HashSet<>();
    for (Operation other : program.block(operation.block()).operations()) {
      for (int i = 0; i < other.outputCount() && other.blocks().isEmpty(); i++) {
        written.add(other.output(i));
      }
    }
    for (int i = 0; i < operation.inputCount(); i++) {
      int input = operation.input(i);
      if (input != Program.NO_VARIABLE && !written.contains(input)) {
        Variable variable = program.variable(input);
        if (variable.block() == operation.block() && !variable.isPersistable()) {
          return true;
        }
      }
    }
    return false;
  }

  @Property(tries = 100)
  @AddLifecycleHook(LongForm.class)
  void anOptimizedProgram_differsInNamesAndDeclarationsOnly(
      @ForAll("samples") RandomPrograms.Sample sample) {
    TranspileResult result = Transpiler.transpile(sample.program(), OPTIONS);

    ProgramDifference difference = ProgramDiff.between(result.original(), result.program());

    for (OperatorChange change : difference.operators()) {
      // A control operator may list what only its block writes: before, anything may be in it, and
      // after a loop without iterations, too. And of the branches that select_input names only one
      // has run.
      for (String detail : change.details()) {
        assertThat(detail).startsWith("input ");
      }
      Operation before = change.before().orElseThrow();
      assertThat(
              !before.blocks().isEmpty()
                  || before.type().equals("select_input")
                  || readsWhatOnlyBlocksWrite(result.original(), before))
          .isTrue();
      assertThat(change.kind()).isEqualTo(Kind.CHANGED);
    }
    assertThat(difference.blocks()).isEmpty();
    Map<VariableId, VariableId> found = new HashMap<>();
    for (Renaming renaming : difference.renamings()) {
      assertThat(renaming.uses()).isEqualTo(renaming.allUses());
      found.put(renaming.before(), renaming.after());
    }
    assertThat(found).isEqualTo(result.sharing().renamings());
  }

  @Property(tries = 300)
  @AddLifecycleHook(LongForm.class)
  void exchangedNames_areFound(@ForAll("samples") RandomPrograms.Sample sample, @ForAll long seed) {
    List<String> names = usedNames(sample.program());
    Set<String> once = new HashSet<>();
    Set<String> often = new HashSet<>();
    for (Variable variable : sample.program().variables()) {
      if (!once.add(variable.name()) || variable.block() != 0) {
        often.add(variable.name());
      }
    }
    // Names of one block, each of a single variable: others would hide each other.
    names.removeAll(often);
    List<String> shuffled = new ArrayList<>(names);
    Collections.shuffle(shuffled, new Random(seed));
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      map.put(names.get(i), shuffled.get(i));
    }
    checkRenaming(sample.program(), map);
  }
}
