package dev.sublet.loop;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program to plan, not to run: behind a loop a variable that moves is in any of its places, so
 * whoever reads it there reads them all.
 */
final class PlanningForm implements LoopForm {

  /** Reads all places of a variable. No catalog knows it: it is taken to read its inputs. */
  static final String READ_PLACES = "sublet_read_places";

  private final UnrollLoops unroll;
  private final UnrolledNames names;
  private final LiveRanges ranges;

  PlanningForm(UnrollLoops unroll) {
    this.unroll = unroll;
    this.names = unroll.names();
    this.ranges = unroll.carries().liveness().ranges();
  }

  @Override
  public void beforeLoop(Region loop, BlockDesc.Builder block, CopyContext context) {}

  @Override
  public OpDesc loop(Region loop, OpDesc operator, CopyContext context) {
    return operator;
  }

  /** Reads what the loop's operator reads, as this copy calls it. */
  @Override
  public OpDesc entry(Region loop, BlockDesc.Builder around, int block, CopyContext context) {
    Operation operation = unroll.graph().operation(loop.head());
    OpDesc.Builder entry = OpDesc.newBuilder().setType("conditional_block");
    ByteString condition =
        LoopConditions.condition(unroll, loop, requireNonNull(context.outer));
    entry.addInputsBuilder().setParameter("Cond").addArgumentsBytes(condition);
    OpDesc.Var.Builder inputs = entry.addInputsBuilder().setParameter("Input");
    for (int i = 0; i < operation.inputCount(); i++) {
      int variable = operation.input(i);
      if (variable != Program.NO_VARIABLE) {
        inputs.addArgumentsBytes(unroll.use(names.nameAtStart(variable, loop, context)));
      }
    }
    LoopConditions.addAttributes(entry, block);
    return entry.build();
  }

  @Override
  public void endOfCopy(Region loop, BlockDesc.Builder block, CopyContext context) {}

  @Override
  public void afterLoop(Region loop, BlockDesc.Builder block, CopyContext context) {}

  @Override
  public void atEnd(BlockDesc.Builder block, CopyContext context) {
    Set<ByteString> places = new LinkedHashSet<>();
    for (Variable variable : unroll.graph().program().variables()) {
      if (unroll.carries().liveness().observation().isObserved(variable.index())) {
        addPlaces(variable.index(), ranges.endPoint() - 1, places, context);
      }
    }
    addRead(places, block);
  }

  @Override
  public void after(
      Operation operation, int node, BlockDesc.Builder block, CopyContext context) {
    Set<ByteString> places = new LinkedHashSet<>();
    for (int i = 0; i < operation.inputCount(); i++) {
      int variable = operation.input(i);
      if (variable != Program.NO_VARIABLE) {
        addPlaces(variable, 2 * node, places, context);
      }
    }
    addRead(places, block);
  }

  private static void addRead(Set<ByteString> places, BlockDesc.Builder block) {
    if (!places.isEmpty()) {
      OpDesc.Builder read = OpDesc.newBuilder().setType(READ_PLACES);
      OpDesc.Var.Builder inputs = read.addInputsBuilder().setParameter("X");
      places.forEach(inputs::addArgumentsBytes);
      block.addOps(read);
    }
  }

  /** Adds all places of a variable that is read behind the loop that moves it. */
  private void addPlaces(int variable, int point, Set<ByteString> places, CopyContext context) {
    int web = ranges.webAt(variable, point);
    @Nullable Role role = web < 0 ? null : unroll.carries().role(web);
    if (role != null && point > 2 * unroll.graph().region(role.component().region()).exit()) {
      for (int place = 0; place < role.component().length(); place++) {
        places.add(unroll.use(names.place(role.component(), place, context)));
      }
    }
  }
}
