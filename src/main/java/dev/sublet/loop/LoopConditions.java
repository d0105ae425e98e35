package dev.sublet.loop;

import com.google.protobuf.ByteString;
import dev.sublet.cfg.Region;
import dev.sublet.program.Operation;
import dev.sublet.proto.AttrType;
import dev.sublet.proto.OpDesc;

/** The parts of the operators that run a copy of a loop's body if the loop goes on. */
final class LoopConditions {

  private LoopConditions() {}

  /** The name of a loop's condition, seen from around the loop. */
  static ByteString condition(UnrollLoops unroll, Region loop, CopyContext outer) {
    Operation operation = unroll.graph().operation(loop.head());
    int position = operation.firstInput("Condition");
    if (position < 0) {
      throw new IllegalStateException(operation + " has no condition");
    }
    return unroll.use(
        unroll.names().name(operation.input(position), loop.head(), /* writes= */ false, outer));
  }

  static void addAttributes(OpDesc.Builder operator, int block) {
    operator
        .addAttrsBuilder()
        .setName("sub_block")
        .setType(AttrType.BLOCK)
        .setBlockIdx(block);
    operator
        .addAttrsBuilder()
        .setName("is_scalar_condition")
        .setType(AttrType.BOOLEAN)
        .setB(true);
  }
}
