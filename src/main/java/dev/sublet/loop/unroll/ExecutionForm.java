package dev.sublet.loop.unroll;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.loop.LoopCarriedCopies;
import dev.sublet.loop.LoopCarriedCopy;
import dev.sublet.loop.RotatingBuffers;
import dev.sublet.loop.RotationPosition;
import dev.sublet.program.DataType;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The form of an unrolled program that any runtime can run.
 *
 * <p>Each copy of a body writes the number of the next copy to a variable, the <em>residue</em>.
 * After the loop, for each residue but 0, a conditional block copies the variables that are used
 * there back to the slots with their own names. This takes one copy per variable, and one more for
 * each cycle of copies.
 *
 * <pre>{@code
 * while (c) { y → slot 0; residue = 1; if (c) { y → slot 1; residue = 0 } }
 * if (residue == 1) { copy the values back }
 * }</pre>
 */
final class ExecutionForm implements LoopForm {

  private final UnrollLoops unroll;
  private final UnrolledNames names;
  private final LiveRanges ranges;
  private final ProgramBuilder builder;

  ExecutionForm(UnrollLoops unroll) {
    this.unroll = unroll;
    this.names = unroll.names();
    this.ranges = unroll.carries().liveness().ranges();
    this.builder = unroll.builder();
  }

  @Override
  public void beforeLoop(Region loop, int block, CopyContext context) {
    if (needsResidue(loop)) {
      declareNote(block, residue(loop, block), DataType.INT32);
      builder.add(block, constant(residue(loop, block), 0));
    }
  }

  private void declareNote(int block, String name, DataType type) {
    builder.declareScalar(block, name, type);
    unroll.addNote(name);
  }

  /** The positions of the targets that are used after a loop and may be in different slots then. */
  private Map<Integer, RotationPosition> movedAfter(Region loop) {
    Map<Integer, RotationPosition> moved = new LinkedHashMap<>();
    for (LoopCarriedCopies carries : unroll.carries().loops()) {
      for (LoopCarriedCopy carry : carries.carries()) {
        int web = ranges.webAt(carry.target(), 2 * loop.exit());
        @Nullable RotationPosition position =
            web < 0 ? null : unroll.carries().position(web, loop.exit());
        if (carries.region() == loop.index()
            && carry.decision() == LoopCarriedCopy.Decision.ROTATED
            && position != null) {
          moved.put(carry.target(), position);
        }
      }
    }
    return moved;
  }

  /** Whether the code after a loop depends on the copy at which the loop was left. */
  private boolean needsResidue(Region loop) {
    return !movedAfter(loop).isEmpty();
  }

  private String residue(Region loop, int block) {
    return names.invent("residue" + loop.block() + "in" + block);
  }

  private OperationBuilder constant(String name, int value) {
    return OperationBuilder.of("fill_constant")
        .output("Out", List.of(unroll.use(name)))
        .listAttribute("shape", 1)
        .attribute("dtype", DataType.INT32.number())
        .attribute("value", (float) value)
        .attribute("force_cpu", true);
  }

  @Override
  public OperationBuilder entry(Region loop, int around, int block, CopyContext context) {
    Operation operation = unroll.graph().operation(loop.head());
    CopyContext outer = requireNonNull(context.outer);
    String condition = unroll.condition(loop, outer);
    Set<String> inputs = new LinkedHashSet<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        inputs.add(unroll.use(names.nameAtStart(operation.input(i), loop, context)));
      }
    }
    inputs.remove(condition);
    Set<String> outputs = new LinkedHashSet<>();
    int first = operation.firstOutput("Out");
    int count = first < 0 ? 0 : operation.outputSlot("Out").orElseThrow().size();
    for (int i = first; i < first + count; i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        outputs.add(
            unroll.use(names.name(operation.output(i), loop.exit(), /* writes= */ true, outer)));
      }
    }
    outputs.addAll(written(loop, outer));
    return conditional(around, condition, inputs, outputs, block);
  }

  /** The names of the slots that the copies write, and of the residue. */
  private List<String> written(Region loop, CopyContext outer) {
    List<String> written = new ArrayList<>();
    for (RotatingBuffers buffers : unroll.carries().allBuffers()) {
      for (int slot = 0; slot < buffers.length(); slot++) {
        if (buffers.region() == loop.index()) {
          written.add(unroll.use(names.nameOfSlot(buffers, slot, outer)));
        }
      }
    }
    if (needsResidue(loop)) {
      written.add(residue(loop, outer.block(loop.head())));
    }
    return written;
  }

  private OperationBuilder conditional(
      int around, String condition, Iterable<String> inputs, Iterable<String> outputs, int block) {
    String scope = names.invent("scope" + block);
    builder.declareScopes(around, scope);
    return OperationBuilder.of("conditional_block")
        .input("Cond", List.of(condition))
        .input("Input", inputs)
        .output("Out", outputs)
        .output("Scope", List.of(unroll.use(scope)))
        .blockAttribute("sub_block", block)
        .attribute("is_scalar_condition", true);
  }

  @Override
  public OperationBuilder variant(Region loop, int block, boolean isLast, CopyContext outer) {
    throw new IllegalStateException("in a program that is to run, no loop has variants");
  }

  @Override
  public void endOfCopy(Region loop, int block, CopyContext context) {
    if (needsResidue(loop)) {
      int next = (context.phase + 1) % unroll.carries().repeat(loop.index());
      int around = requireNonNull(context.outer).block(loop.head());
      builder.add(block, constant(residue(loop, around), next));
    }
  }

  @Override
  public void finishLoop(Region loop, OperationBuilder operator, CopyContext context) {
    operator.addToOutput("Out", written(loop, context));
  }

  @Override
  public void afterLoop(Region loop, int block, CopyContext context) {
    for (int residue = 1; residue < unroll.carries().repeat(loop.index()); residue++) {
      Map<String, String> sources = new LinkedHashMap<>();
      Map<String, Integer> targets = new LinkedHashMap<>();
      for (Map.Entry<Integer, RotationPosition> moved : movedAfter(loop).entrySet()) {
        RotationPosition position = moved.getValue();
        int from = position.buffers().slot(residue, position.shift());
        int to = position.buffers().slot(0, position.shift());
        if (from != to) {
          String target = names.nameOfSlot(position.buffers(), to, context);
          sources.put(target, names.nameOfSlot(position.buffers(), from, context));
          targets.put(target, moved.getKey());
        }
      }
      if (!sources.isEmpty()) {
        putBack(loop, residue, sources, targets, block);
      }
    }
  }

  /**
   * Writes the conditional block that copies the values back if the loop was left with a given
   * residue.
   */
  private void putBack(
      Region loop,
      int residue,
      Map<String, String> sources,
      Map<String, Integer> targets,
      int block) {
    String suffix = loop.block() + "after" + residue + "in" + block;
    String wanted = names.invent("exit" + suffix);
    String flag = names.invent("is_exit" + suffix);
    declareNote(block, wanted, DataType.INT32);
    declareNote(block, flag, DataType.BOOL);
    builder.add(block, constant(wanted, residue));
    builder.add(
        block,
        OperationBuilder.of("equal")
            .input("X", List.of(residue(loop, block)))
            .input("Y", List.of(wanted))
            .output("Out", List.of(flag))
            .attribute("axis", -1)
            .attribute("force_cpu", true));
    int body = builder.addBlock(block);
    new ParallelCopies(sources)
        .write(builder, body, target -> temporary(body, requireNonNull(targets.get(target))));
    builder.add(
        block,
        conditional(
            block,
            flag,
            ImmutableList.copyOf(sources.values()),
            ImmutableList.copyOf(sources.keySet()),
            body));
  }

  /** Declares a variable of a fix-up block. */
  private String temporary(int block, int like) {
    String name = names.invent("swapped" + builder.variableCount(block) + "in" + block);
    builder.declare(block, name, unroll.graph().program().variable(like));
    return unroll.use(name);
  }

  @Override
  public void insteadOf(Operation copy, int node, int block, CopyContext context) {}

  @Override
  public void before(Operation operation, int node, int block, CopyContext context) {}

  @Override
  public void after(Operation operation, int node, int block, CopyContext context) {}

  @Override
  public void atEnd(int block, CopyContext context) {}
}
