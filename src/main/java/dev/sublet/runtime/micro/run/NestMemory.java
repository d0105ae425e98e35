package dev.sublet.runtime.micro.run;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import java.util.LinkedHashMap;
import java.util.Map;

/** The memory of one worker's nodes: the loops' indices, carried variables and scratch arrays. */
final class NestMemory {

  private final ProgramMemory program;
  private final Scratch scratch = new Scratch();
  private final long[] index;
  private final Map<Integer, Carried> carried = new LinkedHashMap<>();

  NestMemory(ProgramMemory program, BoundNest nest) {
    this.program = program;
    this.index = new long[nest.loops()];
    for (int depth = 0; depth < nest.loops(); depth++) {
      for (CarriedVariable variable : nest.loop(depth).carried()) {
        checkArgument(
            carried.put(variable.id(), create(variable, depth)) == null,
            "two carried variables of a block are c%s",
            variable.id());
      }
    }
  }

  private static Carried create(CarriedVariable variable, int depth) {
    return switch (variable.type()) {
      case FLOAT32 -> new FloatCarried(variable.operator(), depth);
      case FLOAT64 -> new DoubleCarried(variable.operator(), depth);
      default -> new LongCarried(variable.operator(), variable.type(), depth);
    };
  }

  /**
   * Returns the loops' indices by depth, while the nest runs; that of the lane loop is the first
   * lane's.
   */
  long[] index() {
    return index;
  }

  Carried carried(int id) {
    return requireNonNull(carried.get(id));
  }

  Scratch scratch() {
    return scratch;
  }

  Buffer buffer(String tensor) {
    return program.buffer(tensor);
  }

  FloatNode floatParameter(String name) {
    return program.floatParameter(name);
  }

  DoubleNode doubleParameter(String name) {
    return program.doubleParameter(name);
  }
}
