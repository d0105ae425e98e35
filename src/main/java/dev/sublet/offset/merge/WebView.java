package dev.sublet.offset.merge;

import dev.sublet.operator.spec.View;
import dev.sublet.operator.spec.ViewRule;
import dev.sublet.plan.Alias;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * A view that an operator makes, with both sides planned webs.
 *
 * @param view how the output lies in the input, or the input in the output
 * @param from the input's web
 * @param to the output's web, perhaps the same
 */
record WebView(View view, int from, int to) {

  /** Returns the views that a node makes; none if it is not a kernel. O(views × log). */
  static List<WebView> of(PlannedWebs webs, int node) {
    List<WebView> found = new ArrayList<>();
    if (webs.graph().isKernel(node)) {
      Operation operation = webs.graph().operation(node);
      for (View view : webs.views(node)) {
        int from = webs.at(operation.input(view.input()), 2 * node);
        int to = webs.at(operation.output(view.output()), 2 * node + 1);
        if (from >= 0 && to >= 0 && isIn(view, webs.bytes(from))) {
          found.add(new WebView(view, from, to));
        }
      }
    }
    return found;
  }

  /**
   * Whether an input of the given bytes contains all bytes that the two sides have in common. If
   * its value is one of several, the bound on the copied bytes may exceed each of them.
   */
  private static boolean isIn(View view, long bytesOfInput) {
    return view.startInInput() + view.bytes() <= bytesOfInput;
  }

  /** The distance in bytes from the beginning of the input to the beginning of the output. */
  long distance() {
    return view.offset();
  }

  /** Returns the plan's alias for this view. */
  Alias alias(PlannedWebs webs) {
    Program program = webs.program();
    boolean inputIsPart = view.relation() == ViewRule.Relation.INPUT_IN_OUTPUT;
    return new Alias(
        program.variable(webs.variable(inputIsPart ? from : to)).id(),
        program.variable(webs.variable(inputIsPart ? to : from)).id(),
        Alias.VIEW,
        Math.abs(view.offset()));
  }
}
