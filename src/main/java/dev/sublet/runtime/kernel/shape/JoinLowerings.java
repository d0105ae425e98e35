package dev.sublet.runtime.kernel.shape;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.plus;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Operators that join tensors, and that split a tensor. */
public final class JoinLowerings {

  /** The greatest number of tensors that one loop nest joins. */
  private static final int MOST_PARTS = 8;

  private JoinLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("concat", JoinLowerings::concat);
    kernels.lowered("concat_grad", JoinLowerings::concatGradient);
    kernels.differentiated("meshgrid", JoinLowerings::meshgrid);
    kernels.lowered("split", JoinLowerings::split);
    kernels.lowered("stack", JoinLowerings::stack);
    kernels.lowered("stack_grad", lowering -> unstack(lowering, "Y@GRAD", "X@GRAD"));
    kernels.lowered("unbind", lowering -> unstack(lowering, "X", "Out"));
    kernels.lowered("unstack", lowering -> unstack(lowering, "X", "Y"));
    kernels.lowered("unstack_grad", lowering -> stack(lowering, "Y@GRAD", "X@GRAD"));
  }

  private static void concat(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    List<MicroValue> parts = new ArrayList<>();
    for (int i = 0; i < lowering.call().arguments("X").size(); i++) {
      parts.add(lowering.in("X", i));
    }
    if (parts.isEmpty()) {
      throw new OperatorException("there is nothing to join");
    }
    int axis = axis(lowering.call(), f.rank(parts.get(0)));
    for (MicroValue part : parts) {
      Shapes.ofRank(f.rank(parts.get(0)), f.shape(part), "X");
    }
    lowering.out("Out", joined(f, parts, axis));
  }

  private static int axis(OperatorCall call, int rank) {
    return Shapes.axis(IntegerArguments.single(call, "axis", 0, "AxisTensor"), rank);
  }

  /**
   * Joins tensors along an axis. Each element of a result tests each of its parts, so many parts
   * are joined in halves: O(elements × log parts).
   */
  public static MicroValue joined(Formula f, List<MicroValue> parts, int axis) {
    if (parts.size() > MOST_PARTS) {
      int half = parts.size() / 2;
      MicroValue first = joined(f, parts.subList(0, half), axis);
      return joined(f, List.of(first, joined(f, parts.subList(half, parts.size()), axis)), axis);
    }
    long[] shape = f.shape(parts.get(0)).clone();
    Shapes.ofRankFrom(axis + 1, shape, "a part");
    shape[axis] = 0;
    for (MicroValue part : parts) {
      Shapes.ofRank(shape.length, f.shape(part), "a part");
      shape[axis] += f.shape(part)[axis];
    }
    MicroValue joined = placed(f, parts.get(0), shape, axis, 0);
    long offset = f.shape(parts.get(0))[axis];
    MicroValue place = f.position(shape, loop(axis));
    for (MicroValue part : parts.subList(1, parts.size())) {
      MicroValue before = f.apply(BinaryOperator.LESS, place, offset);
      joined = f.graph().choose(before, joined, placed(f, part, shape, axis, offset));
      offset += f.shape(part)[axis];
    }
    return joined;
  }

  private static MicroValue placed(
      Formula f, MicroValue part, long[] shape, int axis, long offset) {
    long[] own = f.shape(part);
    IndexExpression[] at = new IndexExpression[own.length];
    for (int i = 0; i < own.length; i++) {
      if (i != axis && (own.length != shape.length || own[i] != shape[i])) {
        throw new OperatorException("the extents along axis " + i + " differ");
      }
      at[i] = i == axis ? plus(loop(i), -offset) : loop(i);
    }
    return f.reindex(part, shape, at);
  }

  private static void concatGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue gradient = lowering.in("Out@GRAD");
    int axis = axis(call, f.rank(gradient));
    long offset = 0;
    for (int i = 0; i < call.arguments("X").size(); i++) {
      long extent = call.arguments("X").get(i).tensor().size(axis);
      lowering.out("X@GRAD", i, part(f, gradient, axis, offset, extent));
      offset += extent;
    }
  }

  /** Returns the elements of x along an axis from an offset on. */
  public static MicroValue part(Formula f, MicroValue x, int axis, long offset, long extent) {
    long[] shape = Shapes.with(f.shape(x), axis, extent);
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int i = 0; i < shape.length; i++) {
      at[i] = i == axis ? plus(loop(i), offset) : loop(i);
    }
    return f.reindex(x, shape, at);
  }

  private static void split(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    if (call.integer("axis", 0) < 0) {
      throw new OperatorException(
          "a negative axis, for which Paddle 2.3 reads outside of the shape; give the axis"
              + " counted from the front");
    }
    int axis = axis(call, f.rank(x));
    long offset = 0;
    long[] sections = sections(call, f.shape(x)[axis]);
    for (int i = 0; i < sections.length; i++) {
      lowering.out("Out", i, part(f, x, axis, offset, sections[i]));
      offset += sections[i];
    }
  }

  /** Returns the extents of the parts. One of them may be given as -1, for the rest of the axis. */
  private static long[] sections(OperatorCall call, long extent) {
    int parts = (int) call.integer("num", 0);
    if (parts > 0) {
      if (extent % parts != 0) {
        throw new OperatorException(extent + " cannot be split into " + parts);
      }
      long[] sections = new long[parts];
      Arrays.fill(sections, extent / parts);
      return sections;
    }
    long[] sections = IntegerArguments.of(call, "sections", "", "SectionsTensorList").clone();
    long rest = extent;
    int unknown = -1;
    for (int i = 0; i < sections.length; i++) {
      unknown = sections[i] == -1 ? i : unknown;
      rest -= sections[i] == -1 ? 0 : sections[i];
    }
    if (unknown >= 0) {
      sections[unknown] = rest;
    } else if (rest != 0) {
      throw new OperatorException("the sections are not " + extent + " together");
    }
    return sections;
  }

  private static void stack(LoweringCall lowering) {
    stack(lowering, "X", "Y");
  }

  private static void stack(LoweringCall lowering, String from, String to) {
    Formula f = new Formula(lowering.graph());
    long[] shape = f.shape(lowering.in(from));
    int axis = Shapes.axis(lowering.call().integer("axis", 0), shape.length + 1);
    long[] layer =
        Shapes.concat(
            Arrays.copyOfRange(shape, 0, axis),
            new long[] {1},
            Arrays.copyOfRange(shape, axis, shape.length));
    List<MicroValue> layers = new ArrayList<>();
    for (int i = 0; i < lowering.call().arguments(from).size(); i++) {
      layers.add(f.reshape(lowering.in(from, i), layer));
    }
    lowering.out(to, joined(f, layers, axis));
  }

  private static void unstack(LoweringCall lowering, String from, String to) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in(from);
    long[] shape = f.shape(x);
    int axis = Shapes.axis(lowering.call().integer("axis", 0), shape.length);
    long[] layer = Shapes.without(shape, axis);
    for (int i = 0; i < shape[axis]; i++) {
      lowering.out(to, i, f.reshape(part(f, x, axis, i, 1), layer));
    }
  }

  /** Lowers {@code meshgrid}: each vector lies along its own axis and repeats along the others. */
  private static void meshgrid(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    int count = lowering.call().arguments("X").size();
    long[] shape = new long[count];
    for (int i = 0; i < count; i++) {
      shape[i] = Shapes.count(f.shape(lowering.in("X", i)));
    }
    for (int i = 0; i < count; i++) {
      IndexExpression at = shape[i] == 1 ? number(0) : loop(i);
      lowering.out("Out", i, f.reindex(lowering.in("X", i), shape, at));
    }
  }
}
