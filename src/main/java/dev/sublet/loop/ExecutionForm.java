package dev.sublet.loop;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program that any runtime can run. Each copy of a body notes in a <em>residue</em> which copy
 * comes next; behind the loop, for each residue but 0, a conditional block puts what is used there
 * back under its own name: one copy a variable, and one more for each circle that they form.
 */
final class ExecutionForm implements LoopForm {

  private final UnrollLoops unroll;
  private final UnrolledNames names;
  private final LiveRanges ranges;

  ExecutionForm(UnrollLoops unroll) {
    this.unroll = unroll;
    this.names = unroll.names();
    this.ranges = unroll.carries().liveness().ranges();
  }

  @Override
  public void beforeLoop(Region loop, BlockDesc.Builder block, CopyContext context) {
    if (needsResidue(loop)) {
      declare(block, residue(loop, block.getIdx()), VarType.Type.INT32);
      block.addOps(constant(residue(loop, block.getIdx()), 0));
    }
  }

  /** The targets that are used behind a loop and may be somewhere else then. */
  private Map<Integer, Role> movedBehind(Region loop) {
    Map<Integer, Role> moved = new LinkedHashMap<>();
    for (LoopCarries carries : unroll.carries().loops()) {
      if (carries.region() == loop.index()) {
        for (Carry carry : carries.carries()) {
          int web = ranges.webAt(carry.target(), 2 * loop.exit());
          @Nullable Role role = web < 0 ? null : unroll.carries().role(web);
          if (carry.decision() == Carry.Decision.ROTATED && role != null) {
            moved.put(carry.target(), role);
          }
        }
      }
    }
    return moved;
  }

  private boolean needsResidue(Region loop) {
    return !movedBehind(loop).isEmpty();
  }

  private ByteString residue(Region loop, int block) {
    return names.invent("residue" + loop.block() + "in" + block);
  }

  private void declare(BlockDesc.Builder block, ByteString name, VarType.Type type) {
    VarDesc.Builder variable = block.addVarsBuilder().setNameBytes(name);
    variable.getTypeBuilder().setType(VarType.Type.LOD_TENSOR);
    variable
        .getTypeBuilder()
        .getLodTensorBuilder()
        .getTensorBuilder()
        .setDataType(type)
        .addDims(1);
    unroll.use(name);
  }

  private OpDesc constant(ByteString name, int value) {
    OpDesc.Builder operator = OpDesc.newBuilder().setType("fill_constant");
    operator.addOutputsBuilder().setParameter("Out").addArgumentsBytes(unroll.use(name));
    operator.addAttrsBuilder().setName("shape").setType(AttrType.LONGS).addLongs(1);
    operator
        .addAttrsBuilder()
        .setName("dtype")
        .setType(AttrType.INT)
        .setI(VarType.Type.INT32.getNumber());
    operator.addAttrsBuilder().setName("value").setType(AttrType.FLOAT).setF(value);
    operator.addAttrsBuilder().setName("force_cpu").setType(AttrType.BOOLEAN).setB(true);
    return operator.build();
  }

  /** Adds the places that the copies write to the loop's outputs. */
  @Override
  public OpDesc loop(Region loop, OpDesc operator, CopyContext context) {
    OpDesc.Builder result = operator.toBuilder();
    for (OpDesc.Var.Builder slot : result.getOutputsBuilderList()) {
      if (slot.getParameter().equals("Out")) {
        Set<ByteString> all = new LinkedHashSet<>(slot.getArgumentsList().asByteStringList());
        all.addAll(places(loop, context));
        if (needsResidue(loop)) {
          all.add(residue(loop, unroll.blockOf(context, loop.head())));
        }
        slot.clearArguments();
        all.forEach(slot::addArgumentsBytes);
      }
    }
    return result.build();
  }

  private Set<ByteString> places(Region loop, CopyContext context) {
    Set<ByteString> places = new LinkedHashSet<>();
    for (Component component : unroll.carries().components()) {
      if (component.region() == loop.index()) {
        for (int place = 0; place < component.length(); place++) {
          places.add(unroll.use(names.place(component, place, context)));
        }
      }
    }
    return places;
  }

  @Override
  public OpDesc entry(Region loop, BlockDesc.Builder around, int block, CopyContext context) {
    Operation operation = unroll.graph().operation(loop.head());
    CopyContext outer = requireNonNull(context.outer);
    Set<ByteString> inputs = new LinkedHashSet<>();
    Set<ByteString> outputs = new LinkedHashSet<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE) {
        inputs.add(unroll.use(names.nameAtStart(operation.input(i), loop, context)));
      }
    }
    int position = operation.firstOutput("Out");
    int count = position < 0 ? 0 : operation.outputSlot("Out").orElseThrow().size();
    for (int i = position; i < position + count; i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        outputs.add(
            unroll.use(
                names.name(operation.output(i), loop.exit(), /* writes= */ true, outer)));
      }
    }
    outputs.addAll(places(loop, outer));
    if (needsResidue(loop)) {
      outputs.add(residue(loop, unroll.blockOf(outer, loop.head())));
    }
    ByteString condition = LoopConditions.condition(unroll, loop, outer);
    inputs.remove(condition);
    return conditional(around, condition, inputs, outputs, block);
  }

  private OpDesc conditional(
      BlockDesc.Builder around,
      ByteString condition,
      Set<ByteString> inputs,
      Set<ByteString> outputs,
      int block) {
    OpDesc.Builder operator = OpDesc.newBuilder().setType("conditional_block");
    operator.addInputsBuilder().setParameter("Cond").addArgumentsBytes(condition);
    OpDesc.Var.Builder input = operator.addInputsBuilder().setParameter("Input");
    inputs.forEach(input::addArgumentsBytes);
    OpDesc.Var.Builder output = operator.addOutputsBuilder().setParameter("Out");
    outputs.forEach(output::addArgumentsBytes);
    ByteString scope = names.invent("scope" + block);
    around
        .addVarsBuilder()
        .setNameBytes(unroll.use(scope))
        .getTypeBuilder()
        .setType(VarType.Type.STEP_SCOPES);
    operator.addOutputsBuilder().setParameter("Scope").addArgumentsBytes(scope);
    LoopConditions.addAttributes(operator, block);
    return operator.build();
  }

  @Override
  public void endOfCopy(Region loop, BlockDesc.Builder block, CopyContext context) {
    if (needsResidue(loop)) {
      int next = (context.phase + 1) % unroll.carries().repeat(loop.index());
      CopyContext outer = requireNonNull(context.outer);
      block.addOps(constant(residue(loop, unroll.blockOf(outer, loop.head())), next));
    }
  }

  @Override
  public void afterLoop(Region loop, BlockDesc.Builder block, CopyContext context) {
    Map<Integer, Role> moved = movedBehind(loop);
    for (int residue = 1; residue < unroll.carries().repeat(loop.index()); residue++) {
      Map<ByteString, ByteString> sources = new LinkedHashMap<>();
      for (Role role : moved.values()) {
        Component component = role.component();
        int from = component.place(residue, role.shift());
        int to = component.place(0, role.shift());
        if (from != to) {
          sources.put(
              names.place(component, to, context), names.place(component, from, context));
        }
      }
      if (!sources.isEmpty()) {
        putBack(loop, residue, sources, moved, block, context);
      }
    }
  }

  private void putBack(
      Region loop,
      int residue,
      Map<ByteString, ByteString> sources,
      Map<Integer, Role> moved,
      BlockDesc.Builder block,
      CopyContext context) {
    int number = loop.block();
    ByteString wanted = names.invent("exit" + number + "after" + residue + "in" + block.getIdx());
    ByteString flag = names.invent("is_exit" + number + "after" + residue + "in" + block.getIdx());
    declare(block, wanted, VarType.Type.INT32);
    declare(block, flag, VarType.Type.BOOL);
    block.addOps(constant(wanted, residue));
    OpDesc.Builder equal = OpDesc.newBuilder().setType("equal");
    equal
        .addInputsBuilder()
        .setParameter("X")
        .addArgumentsBytes(unroll.use(residue(loop, block.getIdx())));
    equal.addInputsBuilder().setParameter("Y").addArgumentsBytes(wanted);
    equal.addOutputsBuilder().setParameter("Out").addArgumentsBytes(flag);
    equal.addAttrsBuilder().setName("axis").setType(AttrType.INT).setI(-1);
    equal.addAttrsBuilder().setName("force_cpu").setType(AttrType.BOOLEAN).setB(true);
    block.addOps(equal);
    BlockDesc.Builder body = unroll.newBlock(block.getIdx());
    int model = moved.keySet().iterator().next();
    new ParallelCopies(sources).write(body, target -> temporary(body, target, model, moved, context));
    block.addOps(
        conditional(
            block,
            flag,
            new LinkedHashSet<>(sources.values()),
            new LinkedHashSet<>(sources.keySet()),
            body.getIdx()));
  }

  /** Declares a variable of a fix-up block that is like one of its targets. */
  private ByteString temporary(
      BlockDesc.Builder body,
      ByteString target,
      int model,
      Map<Integer, Role> moved,
      CopyContext context) {
    int like = model;
    for (Map.Entry<Integer, Role> each : moved.entrySet()) {
      Role role = each.getValue();
      int place = role.component().place(0, role.shift());
      if (names.place(role.component(), place, context).equals(target)) {
        like = each.getKey();
      }
    }
    ByteString name = names.invent("swapped" + body.getVarsCount() + "in" + body.getIdx());
    body.addVars(unroll.declaration(like).toBuilder().setNameBytes(unroll.use(name)));
    return name;
  }

  @Override
  public void atEnd(BlockDesc.Builder block, CopyContext context) {}

  @Override
  public void after(
      Operation operation, int node, BlockDesc.Builder block, CopyContext context) {}
}
