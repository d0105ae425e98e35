package dev.sublet.loop;

import com.google.protobuf.ByteString;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.program.AttributeReference;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the program in which loops are repeated, see {@link UnrolledProgram}. Copy 0 of a body stays
 * in the body's block; the other blocks come behind all that there are.
 */
final class UnrollLoops {

  private final Carries carries;
  private final ControlFlowGraph graph;
  private final Program program;
  private final UnrolledNames names;
  private final LoopForm form;
  private final ProgramDesc message;
  private final List<BlockDesc.Builder> blocks = new ArrayList<>();
  private final List<CopyContext> contexts = new ArrayList<>();
  private final Set<ByteString> used = new HashSet<>();

  /** The original variable that each new one stands for. */
  private final Map<NewName, Integer> originals = new HashMap<>();

  /** The head of each control operator that is followed, and the node of any other. */
  private final Map<Operation, Integer> nodes = new HashMap<>();

  /** A variable of the new program. */
  record NewName(int block, ByteString name) {}

  private UnrollLoops(Carries carries, LoopForm.Maker form) {
    this.carries = carries;
    this.graph = carries.liveness().graph();
    this.program = graph.program();
    this.names = new UnrolledNames(carries);
    this.message = program.toMessage();
    for (int node = graph.nodeCount() - 1; node >= 0; node--) {
      nodes.put(graph.operation(node), node);
    }
    this.form = form.make(this);
  }

  /** Writes a program. O(size of the result). */
  static UnrolledProgram unroll(Carries carries, LoopForm.Maker form) {
    UnrollLoops unroll = new UnrollLoops(carries, form);
    return new UnrolledProgram(unroll.write(), unroll.map());
  }

  private Program write() {
    for (BlockDesc block : message.getBlocksList()) {
      blocks.add(block.toBuilder());
    }
    CopyContext root = new CopyContext(null, 0, 0, 0, graph.nodeCount());
    contexts.add(root);
    fill(0, blocks.get(0), root);
    form.atEnd(blocks.get(0), root);
    ProgramDesc.Builder unrolled = message.toBuilder().clearBlocks();
    for (BlockDesc.Builder block : blocks) {
      unrolled.addBlocks(withoutUnused(block));
    }
    return Program.of(unrolled.build());
  }

  private UnrolledMap map() {
    return new UnrolledMap(carries, names, contexts, originals);
  }

  /** Writes a copy of a block's variables and operators into a new block. */
  private void fill(int source, BlockDesc.Builder target, CopyContext context) {
    target.clearVars().clearOps();
    declare(source, target, context);
    for (Operation operation : program.block(source).operations()) {
      write(operation, target, context);
    }
  }

  private void declare(int source, BlockDesc.Builder target, CopyContext context) {
    boolean isFirst = context.region == 0 || context.phase == 0;
    for (Variable variable : program.block(source).variables()) {
      int index = variable.index();
      boolean isBody = graph.regionOfBlock(source) == context.region;
      if (isFirst || !isBody || !names.isShared(index)) {
        addDeclaration(target, index, names.plain(index, context));
      }
    }
    for (Component component : carries.components()) {
      if (program.variable(component.model()).block() == source) {
        for (int place = 0; place < component.length(); place++) {
          if (component.bases()[place] < 0) {
            addDeclaration(target, component.model(), names.place(component, place, context));
          }
        }
      }
    }
  }

  private void addDeclaration(BlockDesc.Builder target, int variable, ByteString name) {
    target.addVars(declaration(variable).toBuilder().setNameBytes(name));
    originals.put(new NewName(target.getIdx(), name), variable);
  }

  VarDesc declaration(int variable) {
    return message
        .getBlocks(program.variable(variable).block())
        .getVars(names.declaration(variable));
  }

  /** The new block that holds the operator at a node. */
  int blockOf(CopyContext context, int node) {
    return context.block(node);
  }

  private void write(Operation operation, BlockDesc.Builder target, CopyContext context) {
    int node = nodes.get(operation);
    if (carries.isRemoved(node)) {
      return;
    }
    int region = graph.regionAtHead(node);
    Region loop = region < 0 ? null : graph.region(region);
    boolean repeats = loop != null && carries.repeat(region) > 1;
    if (repeats) {
      form.beforeLoop(loop, target, context);
    }
    OpDesc.Builder copy = renamed(operation, node, context);
    if (loop != null) {
      int body = loop.block();
      boolean inPlace = target.getIdx() == operation.block();
      BlockDesc.Builder inner = inPlace ? blocks.get(body) : newBlock(target.getIdx());
      setBlock(copy, body, inner.getIdx());
      int index = target.getOpsCount();
      target.addOps(copy);
      context.put(node, target.getIdx(), index);
      context.put(loop.exit(), target.getIdx(), index);
      if (repeats) {
        repeat(loop, inner, target.getIdx(), index, context);
        form.afterLoop(loop, target, context);
        target.setOps(index, form.loop(loop, target.getOps(index), context));
      } else {
        fill(body, inner, context);
      }
    } else {
      context.put(node, target.getIdx(), target.getOpsCount());
      target.addOps(copy);
    }
    form.after(operation, node, target, context);
  }

  BlockDesc.Builder newBlock(int parent) {
    BlockDesc.Builder block =
        BlockDesc.newBuilder().setIdx(blocks.size()).setParentIdx(parent);
    blocks.add(block);
    return block;
  }

  private static void setBlock(OpDesc.Builder operation, int from, int to) {
    for (OpDesc.Attr.Builder attribute : operation.getAttrsBuilderList()) {
      if (attribute.getType() == AttrType.BLOCK && attribute.getBlockIdx() == from) {
        attribute.setBlockIdx(to);
      }
    }
  }

  /** Writes all copies of a loop's body, each but the first in a block inside the one before it. */
  private void repeat(
      Region loop, BlockDesc.Builder first, int loopBlock, int loopIndex, CopyContext outer) {
    int repeat = carries.repeat(loop.index());
    BlockDesc.Builder block = first;
    for (int phase = 0; phase < repeat; phase++) {
      CopyContext context =
          new CopyContext(outer, loop.index(), phase, loop.head(), loop.exit() + 1);
      contexts.add(context);
      if (phase == 0) {
        context.setEntry(loopBlock, loopIndex);
      } else {
        BlockDesc.Builder next = newBlock(block.getIdx());
        context.setEntry(block.getIdx(), block.getOpsCount());
        block.addOps(form.entry(loop, block, next.getIdx(), context));
        block = next;
      }
      fill(loop.block(), block, context);
      form.endOfCopy(loop, block, context);
    }
  }

  private OpDesc.Builder renamed(Operation operation, int node, CopyContext context) {
    OpDesc original = message.getBlocks(operation.block()).getOps(operation.index());
    OpDesc.Builder copy = original.toBuilder().clearInputs().clearOutputs();
    int region = graph.regionAtHead(node);
    int exit = region < 0 ? node : graph.region(region).exit();
    int argument = 0;
    for (OpDesc.Var slot : original.getInputsList()) {
      OpDesc.Var.Builder named = OpDesc.Var.newBuilder().setParameterBytes(slot.getParameterBytes());
      for (int i = 0; i < slot.getArgumentsCount(); i++) {
        int variable = operation.input(argument++);
        named.addArgumentsBytes(
            variable == Program.NO_VARIABLE
                ? slot.getArgumentsBytes(i)
                : use(names.name(variable, node, /* writes= */ false, context)));
      }
      copy.addInputs(named);
    }
    argument = 0;
    for (OpDesc.Var slot : original.getOutputsList()) {
      OpDesc.Var.Builder named = OpDesc.Var.newBuilder().setParameterBytes(slot.getParameterBytes());
      for (int i = 0; i < slot.getArgumentsCount(); i++) {
        int variable = operation.output(argument++);
        named.addArgumentsBytes(
            variable == Program.NO_VARIABLE
                ? slot.getArgumentsBytes(i)
                : use(names.name(variable, exit, /* writes= */ true, context)));
      }
      copy.addOutputs(named);
    }
    renameAttributes(operation, copy, node, context);
    return copy;
  }

  private void renameAttributes(
      Operation operation, OpDesc.Builder copy, int node, CopyContext context) {
    for (AttributeReference reference : program.attributeReferences(operation)) {
      ByteString name = names.name(reference.variable(), node, /* writes= */ false, context);
      used.add(name);
      if (name.equals(names.original(reference.variable()))) {
        continue;
      }
      if (!reference.renamable()) {
        throw new IllegalStateException("the name in " + operation + " cannot be changed");
      }
      for (OpDesc.Attr.Builder attribute : copy.getAttrsBuilderList()) {
        if (attribute.getName().equals(reference.attribute())) {
          rename(attribute, reference.position(), name);
        }
      }
    }
  }

  private static void rename(OpDesc.Attr.Builder attribute, int position, ByteString name) {
    switch (attribute.getType()) {
      case STRING -> attribute.setSBytes(name);
      case VAR -> attribute.setVarNameBytes(name);
      case STRINGS -> {
        List<ByteString> all = new ArrayList<>(attribute.getStringsList().asByteStringList());
        all.set(position, name);
        attribute.clearStrings();
        all.forEach(attribute::addStringsBytes);
      }
      default -> {
        List<ByteString> all = new ArrayList<>(attribute.getVarsNameList().asByteStringList());
        all.set(position, name);
        attribute.clearVarsName();
        all.forEach(attribute::addVarsNameBytes);
      }
    }
  }

  /** Drops the declarations of what was accessed in the original and is not any more. */
  private BlockDesc withoutUnused(BlockDesc.Builder block) {
    BlockDesc.Builder kept = block.clone().clearVars();
    for (VarDesc declared : block.getVarsList()) {
      Integer original = originals.get(new NewName(block.getIdx(), declared.getNameBytes()));
      if (original == null || used.contains(declared.getNameBytes()) || !wasUsed(original)) {
        kept.addVars(declared);
      }
    }
    return kept.build();
  }

  private boolean wasUsed(int variable) {
    return graph.accesses().isAccessed(variable)
        && program.variable(variable).kind() == Variable.Kind.TENSOR
        && !program.variable(variable).isPersistable();
  }

  /** Notes that a name is used. */
  ByteString use(ByteString name) {
    used.add(name);
    return name;
  }

  Carries carries() {
    return carries;
  }

  ControlFlowGraph graph() {
    return graph;
  }

  UnrolledNames names() {
    return names;
  }

  ProgramDesc message() {
    return message;
  }
}
