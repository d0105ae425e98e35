package dev.sublet.shape;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.LodRule;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The variables that may carry sequence information (LoD): the variables declared with LoD, and the
 * variables to which operators may pass it on. An over-approximation over all blocks that ignores
 * the order of operators.
 *
 * <p>A variable keeps its LoD, even from one run to the next, until an operator replaces it. Some
 * operators leave the LoD of their outputs alone. So if a variable with LoD and one without LoD
 * share a name, readers of the second may find the LoD of the first, unless every operator that
 * writes the name replaces the LoD.
 */
public final class LodCarriers {

  private final BitSet carriers;
  private final BitSet replaced;

  private LodCarriers(BitSet carriers, BitSet replaced) {
    this.carriers = carriers;
    this.replaced = replaced;
  }

  /** Finds the carriers of a program with a worklist. O(arguments). */
  public static LodCarriers find(Program program, OperatorCatalog catalog) {
    Worklist worklist = new Worklist(program.variableCount());
    for (Variable variable : program.variables()) {
      if (variable.tensorType().isPresent() && variable.tensorType().get().lodLevel() > 0) {
        worklist.add(variable.index());
      }
    }
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (catalog.lookup(operation.type()).lod().rule() == LodRule.PRODUCES) {
          worklist.addOutputs(operation);
        }
      }
    }
    if (!worklist.pending.isEmpty()) {
      worklist.propagate(passing(program, catalog));
    }
    return new LodCarriers(worklist.carriers, alwaysReplaced(program, catalog));
  }

  private static List<Passing> passing(Program program, OperatorCatalog catalog) {
    List<Passing> passing = new ArrayList<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        if (catalog.lookup(operation.type()).lod().rule() == LodRule.PASSES) {
          passing.add(new Passing(operation, sources(operation, catalog)));
        }
      }
    }
    return passing;
  }

  /** An operator, and the arguments whose LoD the operator may pass on to its outputs. */
  private record Passing(Operation operation, ImmutableIntArray sources) {}

  private static ImmutableIntArray sources(Operation operation, OperatorCatalog catalog) {
    OperatorSpec spec = catalog.lookup(operation.type());
    ImmutableIntArray.Builder sources = ImmutableIntArray.builder();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE
          && spec.lod().passesFrom(operation.slotOfInput(i))) {
        sources.add(operation.input(i));
      }
    }
    return sources.build();
  }

  private static BitSet alwaysReplaced(Program program, OperatorCatalog catalog) {
    BitSet written = new BitSet(program.variableCount());
    BitSet kept = new BitSet(program.variableCount());
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        OperatorSpec spec = catalog.lookup(operation.type());
        for (int i = 0; i < operation.outputCount(); i++) {
          if (operation.output(i) != Program.NO_VARIABLE) {
            String slot = operation.slotOfOutput(i);
            boolean replaces =
                spec.lod().replaced().contains(slot)
                    && spec.effects().on(slot) == Effect.MUST_WRITE;
            (replaces ? written : kept).set(operation.output(i));
          }
        }
      }
    }
    written.andNot(kept);
    return written;
  }

  /** Whether the variable may carry LoD in some run. */
  public boolean carries(int variable) {
    return carriers.get(variable);
  }

  /** Whether every operator that writes the variable always replaces its LoD. */
  public boolean isAlwaysReplaced(int variable) {
    return replaced.get(variable);
  }

  /** The carriers found so far, and the pending ones, whose readers are still to be visited. */
  private static final class Worklist {

    private final int variableCount;
    private final BitSet carriers = new BitSet();
    private final List<Integer> pending = new ArrayList<>();

    Worklist(int variableCount) {
      this.variableCount = variableCount;
    }

    void add(int variable) {
      if (variable != Program.NO_VARIABLE && !carriers.get(variable)) {
        carriers.set(variable);
        pending.add(variable);
      }
    }

    void addOutputs(Operation operation) {
      for (int i = 0; i < operation.outputCount(); i++) {
        add(operation.output(i));
      }
    }

    /** Passes LoD on from each carrier to the outputs of its readers; visits each reader once. */
    void propagate(List<Passing> passing) {
      int[] starts = new int[variableCount + 1];
      for (Passing reader : passing) {
        reader.sources().forEach(source -> starts[source + 1]++);
      }
      for (int i = 0; i < variableCount; i++) {
        starts[i + 1] += starts[i];
      }
      int[] readers = new int[starts[variableCount]];
      int[] next = starts.clone();
      for (int reader = 0; reader < passing.size(); reader++) {
        ImmutableIntArray sources = passing.get(reader).sources();
        for (int i = 0; i < sources.length(); i++) {
          readers[next[sources.get(i)]++] = reader;
        }
      }
      BitSet passed = new BitSet(passing.size());
      while (!pending.isEmpty()) {
        int carrier = pending.remove(pending.size() - 1);
        for (int i = starts[carrier]; i < starts[carrier + 1]; i++) {
          if (!passed.get(readers[i])) {
            passed.set(readers[i]);
            addOutputs(passing.get(readers[i]).operation());
          }
        }
      }
    }
  }
}
