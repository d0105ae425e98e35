package dev.sublet.operator.onnx;

import com.google.common.collect.ImmutableList;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.ShapeCall;
import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.operator.paddle.control.ArrayShapes;
import dev.sublet.operator.spec.CatalogBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of ONNX's {@code Loop} and {@code Scan} around their bodies, as separate operators. The
 * translation of a model writes them next to a {@code while}.
 *
 * <p>{@code begin} sets the counter to 0 and decides whether there is a first iteration. {@code
 * next} adds 1 and decides whether there is another iteration. {@code slice} takes the part of a
 * scanned tensor for one iteration. {@code collect} writes the piece of one iteration into the
 * tensor of all pieces, and leaves the rest of that tensor as it is.
 *
 * <p>Source: the operator specifications of {@code Loop} and {@code Scan}, opset 9 and later.
 */
public final class OnnxLoopOperators {

  /**
   * The number of iterations from which a loop counts as unbounded: a model gives a loop without a
   * bound the largest number there is.
   */
  private static final double UNBOUNDED = 1e15;

  private OnnxLoopOperators() {}

  /** Adds the entries. */
  public static void addTo(CatalogBuilder catalog) {
    catalog.add("onnx.Loop.begin").shape(OnnxLoopOperators::controlLoop).clearsLod();
    catalog.add("onnx.Loop.next").shape(OnnxLoopOperators::controlLoop).clearsLod();
    catalog
        .add("onnx.Loop.collect")
        .shape(OnnxLoopOperators::collectInLoop)
        .mayWrite("Out")
        .needsOnlyShapeOf("M")
        .clearsLod();
    catalog
        .add("onnx.Scan.begin")
        .shape(OnnxLoopOperators::controlScan)
        .needsOnlyShapeOf("X")
        .clearsLod();
    catalog
        .add("onnx.Scan.next")
        .shape(OnnxLoopOperators::controlScan)
        .needsOnlyShapeOf("X")
        .clearsLod();
    catalog.add("onnx.Scan.slice").shape(OnnxLoopOperators::slice).clearsLod();
    catalog
        .add("onnx.Scan.collect")
        .shape(OnnxLoopOperators::collectInScan)
        .mayWrite("Out")
        .needsOnlyShapeOf("Like")
        .clearsLod();
  }

  private static void controlLoop(ShapeCall call) {
    @Nullable SymbolicExtent most = call.has("M") ? ArrayShapes.number(call.in("M")) : null;
    @Nullable SymbolicExtent goesOn = most == null ? null : isBelow(counter(call), most);
    if (call.has("Cond")) {
      SymbolicExtent wanted = ArrayShapes.number(call.in("Cond"));
      if (goesOn != null) {
        SymbolicExtent other = wanted == null ? call.unknown("Cond", "it is not followed") : wanted;
        goesOn = goesOn.test("and", other, goesOn.is(1) && other.is(1));
      } else {
        goesOn = call.has("M") ? null : wanted;
      }
    }
    setControl(call, goesOn);
  }

  private static void controlScan(ShapeCall call) {
    AbstractShape scanned = call.in("X");
    SymbolicExtent trips = scanned.dim(axis(call.integer("axis", 0), scanned.rank()));
    setControl(call, isBelow(counter(call), trips));
  }

  /** The number of the iteration that follows, if one does. */
  private static SymbolicExtent counter(ShapeCall call) {
    SymbolicExtent before = call.has("Last") ? ArrayShapes.number(call.in("Last")) : null;
    if (!call.has("Last")) {
      return SymbolicExtent.of(0);
    }
    return before == null ? call.unknown("Last", "the counter is not followed") : before.plus(1);
  }

  private static SymbolicExtent isBelow(SymbolicExtent counter, SymbolicExtent trips) {
    return counter.test("less_than", trips, counter.value() < trips.value());
  }

  /**
   * Sets the counter and the condition, which are scalars.
   *
   * @param goesOn the condition; null if it is not followed
   */
  private static void setControl(ShapeCall call, @Nullable SymbolicExtent goesOn) {
    AbstractShape scalar = AbstractShape.of(ImmutableList.of());
    call.out("I", scalar.withElements(ImmutableList.of(counter(call))));
    call.out("Condition", goesOn == null ? scalar : scalar.withElements(ImmutableList.of(goesOn)));
  }

  private static void slice(ShapeCall call) {
    AbstractShape whole = call.in("X");
    List<SymbolicExtent> dims = new ArrayList<>(whole.dims());
    dims.remove(axis(call.integer("axis", 0), whole.rank()));
    call.out("Out", AbstractShape.of(dims));
  }

  private static void collectInScan(ShapeCall call) {
    AbstractShape scanned = call.in("Like");
    SymbolicExtent trips = scanned.dim(axis(call.integer("like_axis", 0), scanned.rank()));
    collect(call, trips);
  }

  private static void collectInLoop(ShapeCall call) {
    @Nullable SymbolicExtent most = call.has("M") ? ArrayShapes.number(call.in("M")) : null;
    boolean bounded = most != null && most.isKnown() && most.value() < UNBOUNDED;
    if (most == null || !bounded) {
      collect(call, call.unknown("trips", "nothing bounds how often the loop runs"));
    } else if (most.value() <= 0 && most.isExact()) {
      collect(call, SymbolicExtent.of(0));
    } else {
      boolean early = call.integer("may_end_early", 1) != 0;
      collect(call, early ? call.atMost("trips", most) : most);
    }
  }

  private static void collect(ShapeCall call, SymbolicExtent trips) {
    List<SymbolicExtent> dims = new ArrayList<>(call.in("X").dims());
    dims.add(axis(call.integer("axis", 0), dims.size() + 1), trips);
    call.out("Out", AbstractShape.of(dims));
  }

  private static int axis(int axis, int rank) {
    int index = axis < 0 ? axis + rank : axis;
    if (index < 0 || index >= rank) {
      throw new ShapeMismatchException("there is no axis " + axis + " of " + rank);
    }
    return index;
  }
}
