package dev.sublet.loop.unroll;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.loop.EarlierSlot;
import dev.sublet.loop.InitialLocation;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.RotatingBuffers;
import dev.sublet.loop.RotationPosition;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of the original program's variables in the copies of a loop's body.
 *
 * <pre>{@code
 * x        x in copy 0          x@copy.1      x in copy 1
 * s@copy1  slot 1 of a rotation whose model is s
 * }</pre>
 */
final class UnrolledNames {

  private final LoopCarriedValues carries;
  private final ControlFlowGraph graph;
  private final Program program;
  private final LiveRanges ranges;

  /** The text between a name and the suffix of a copy; no original name contains it. */
  private final String mark;

  private final boolean[] isShared;

  UnrolledNames(LoopCarriedValues carries) {
    this.carries = carries;
    this.graph = carries.liveness().graph();
    this.program = graph.program();
    this.ranges = carries.liveness().ranges();
    Set<String> names = new HashSet<>();
    program.variables().forEach(variable -> names.add(variable.name()));
    this.mark = unusedMark(names);
    this.isShared = new boolean[program.variableCount()];
    for (Variable variable : program.variables()) {
      isShared[variable.index()] = livesAcrossIterations(variable);
    }
  }

  private static String unusedMark(Set<String> names) {
    String mark = "@";
    while (true) {
      String candidate = mark;
      if (names.stream().noneMatch(name -> name.contains(candidate + "copy"))) {
        return mark;
      }
      mark += "@";
    }
  }

  /** Whether a variable of a loop's body has a value from the previous iteration. */
  private boolean livesAcrossIterations(Variable variable) {
    int home = graph.regionOfBlock(variable.block());
    // An array of a body is emptied before each iteration.
    boolean isArray = variable.kind() == Variable.Kind.TENSOR_ARRAY && !variable.isPersistable();
    if (home <= 0 || isArray) {
      return false;
    }
    int start = 2 * graph.region(home).head() + 2;
    for (int web = ranges.firstWeb(variable.index());
        web < ranges.endWeb(variable.index());
        web++) {
      if (ranges.contains(web, start)) {
        return true;
      }
    }
    // These variables have no ranges. Parameters stay, as may others.
    return variable.kind() != Variable.Kind.TENSOR || variable.isPersistable();
  }

  /** Returns a name for a new variable. */
  String invent(String what) {
    return what + mark + "copy";
  }

  /** Whether all copies of the loop's body use the same variable. */
  boolean isShared(int variable) {
    return isShared[variable];
  }

  /** The name of a variable that is accessed at a node. */
  String name(int variable, int node, boolean writes, CopyContext context) {
    int web = ranges.webAt(variable, writes ? 2 * node + 1 : 2 * node);
    return web < 0 ? plain(variable, context) : name(variable, web, node, writes, context);
  }

  /** The name of a web of a variable at a node. */
  String name(int variable, int web, int node, boolean writes, CopyContext context) {
    int merged = carries.mergedInto(web);
    if (merged >= 0) {
      return name(variableOf(merged), merged, node, writes, context);
    }
    RotationPosition position = carries.position(web, node);
    if (position == null) {
      return plain(variable, context);
    }
    InitialLocation first = position.first();
    if (first != null && isFirst(position, node, writes, context)) {
      return first(first, node, /* writes= */ false, context);
    }
    return nameOfSlot(position.buffers(), slot(position, node, writes, context), context);
  }

  /** The name of the initial location of a variable. */
  String first(InitialLocation first, int node, boolean writes, CopyContext context) {
    return first.isOwn()
        ? plain(first.variable(), context)
        : name(first.variable(), first.web(), node, writes, context);
  }

  /** Whether a web is in its initial location. */
  private boolean isFirst(
      RotationPosition position, int node, boolean writes, CopyContext context) {
    Region loop = graph.region(position.buffers().region());
    CopyContext copy = context.of(loop.index());
    boolean isAfterCopy = node > position.copyNode() || (node == position.copyNode() && writes);
    return node < loop.head()
        || (copy != null && copy.phase < 0 && copy.isVariant())
        || (copy != null && copy.phase < 0 && node < loop.exit() && !isAfterCopy);
  }

  /**
   * The name of a variable where a copy of a loop's body begins. Even if the body does not need the
   * variable then, the loop's operator may read it before each iteration.
   */
  String nameAtStart(int variable, Region loop, CopyContext context) {
    int inBody = ranges.webAt(variable, 2 * loop.head() + 2);
    int web = inBody < 0 ? ranges.webAt(variable, 2 * loop.head()) : inBody;
    return web < 0
        ? plain(variable, context)
        : name(variable, web, loop.head() + 1, /* writes= */ false, context);
  }

  /** The slot of a web in its rotation at a node; after the loop, the slot at phase 0. */
  int slot(RotationPosition position, int node, boolean writes, CopyContext context) {
    CopyContext copy = context.of(position.buffers().region());
    Region loop = graph.region(position.buffers().region());
    int iteration;
    if (node < loop.head()) {
      iteration = carries.firstPhase(loop.index());
    } else {
      boolean isInside = node > loop.head() && node < loop.exit();
      iteration = copy != null && (isInside || copy.isVariant()) ? copy.phase : 0;
    }
    boolean isAfterCopy =
        node > loop.head()
            && node < loop.exit()
            && (node > position.copyNode() || (node == position.copyNode() && writes));
    return position.buffers().slot(iteration, position.shift() + (isAfterCopy ? 1 : 0));
  }

  /**
   * The name of a slot of a rotation. If it is a slot of an earlier loop, that of the variant of
   * the later loop; outside of variants, that at phase 0 of the earlier loop.
   */
  String nameOfSlot(RotatingBuffers buffers, int slot, CopyContext context) {
    EarlierSlot earlier = carries.earlierSlot(buffers, slot);
    if (earlier != null) {
      CopyContext variant = context.of(earlier.buffers().region());
      int phase = variant == null ? 0 : variant.phase;
      return nameOfSlot(earlier.buffers(), earlier.slot(phase), context);
    }
    int base = buffers.bases()[slot];
    if (base >= 0) {
      return plain(base, context);
    }
    int model = buffers.model();
    String rotation = buffers.number() == 0 ? "" : "of" + buffers.number();
    return program.variable(model).name()
        + mark
        + "copy"
        + slot
        + rotation
        + suffix(model, context);
  }

  String plain(int variable, CopyContext context) {
    String suffix = suffix(variable, context);
    String name = program.variable(variable).name();
    return suffix.isEmpty() ? name : name + mark + "copy" + suffix;
  }

  /**
   * The suffix that distinguishes the copies of a variable that is declared in a copied block.
   * Arrays and tensors without a type keep their names, and so does a variable of another kind that
   * a kernel uses, such as a condition that is declared as scopes: each copy of the block declares
   * its own.
   */
  String suffix(int variable, CopyContext context) {
    Variable declared = program.variable(variable);
    boolean keepsName =
        declared.isPersistable()
            || declared.kind() == Variable.Kind.TENSOR_ARRAY
            || (declared.kind() == Variable.Kind.TENSOR && declared.tensorType().isEmpty())
            || (declared.kind() != Variable.Kind.TENSOR && isUsedByKernel(variable));
    if (keepsName) {
      return "";
    }
    StringBuilder suffix = new StringBuilder();
    boolean isFirst = true;
    int region = graph.regionOfBlock(program.variable(variable).block());
    int home = region;
    for (; region > 0; region = graph.region(region).parent()) {
      @Nullable CopyContext copy = context.of(region);
      boolean isSharedHere = region == home && isShared[variable];
      if (copy != null && !isSharedHere) {
        isFirst &= addPhase(copy, suffix);
      }
      for (int earlier : carries.earlierLoops(region)) {
        @Nullable CopyContext variant = context.of(earlier);
        isFirst &= variant == null || addPhase(variant, suffix);
      }
    }
    return isFirst ? "" : suffix.toString();
  }

  /** Whether an operator without blocks uses the variable. O(accesses). */
  private boolean isUsedByKernel(int variable) {
    AccessTable accesses = graph.accesses();
    for (int i = accesses.begin(variable); i < accesses.end(variable); i++) {
      if (graph.isKernel(accesses.node(i))) {
        return true;
      }
    }
    return false;
  }

  /** Adds the phase of a copy to a suffix. Returns whether it is the first phase. */
  private static boolean addPhase(CopyContext copy, StringBuilder suffix) {
    suffix.append('.').append(copy.phase < 0 ? "first" : String.valueOf(copy.phase));
    return copy.phase == 0;
  }

  int variableOf(int web) {
    int low = 0;
    int high = program.variableCount() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (ranges.firstWeb(middle) <= web) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
