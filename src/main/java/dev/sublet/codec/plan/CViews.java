package dev.sublet.codec.plan;

import dev.sublet.codec.table.PlanTable;
import dev.sublet.plan.MultiView;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Prints the offset of a variable that loops move, as C code with the loops' iteration counts. */
public final class CViews {

  private CViews() {}

  /**
   * Returns the macro {@code NAME_AT} and a comment on its parameters. Parameter {@code n3} is the
   * number of iterations that the loop with body block 3 has completed. The macro is a constant
   * expression if its arguments are.
   */
  static String macro(String name, MultiView views) {
    Set<Integer> blocks = blocks(views);
    StringBuilder text = new StringBuilder();
    text.append("/* Loops move it: ").append(PlanTable.text(views)).append("; OFFSET is where it");
    text.append(" is before the first iteration. */\n");
    if (blocks.isEmpty()) {
      return text.toString();
    }
    text.append("/* Where it is once the loop of block B has completed nB iterations. */\n");
    text.append("#define ").append(name).append("_AT(");
    String separator = "";
    for (int block : blocks) {
      text.append(separator).append("n").append(block);
      separator = ", ";
    }
    text.append(") ");
    appendView(views, text);
    return text.append("\n").toString();
  }

  /**
   * Returns the offset as an expression of type {@code size_t}. Variable {@code n3} is the number
   * of iterations that the loop with body block 3 has completed. O(views).
   */
  public static String offset(MultiView views) {
    StringBuilder text = new StringBuilder();
    appendView(views, text);
    return text.toString();
  }

  /** Returns the body blocks of the loops that move a variable, ascending. */
  public static Set<Integer> blocks(MultiView views) {
    Set<Integer> blocks = new TreeSet<>();
    addBlocks(views, blocks);
    return blocks;
  }

  private static void addBlocks(MultiView view, Set<Integer> blocks) {
    if (view instanceof MultiView.Rotation rotation) {
      blocks.add(rotation.block());
      rotation.first().ifPresent(first -> addBlocks(first, blocks));
      for (MultiView each : rotation.views()) {
        addBlocks(each, blocks);
      }
    }
  }

  private static void appendView(MultiView view, StringBuilder text) {
    if (view instanceof MultiView.FixedView fixed) {
      text.append(CHeader.constant(fixed.offset()));
      return;
    }
    MultiView.Rotation rotation = (MultiView.Rotation) view;
    String count = "(size_t)(n" + rotation.block() + ")";
    text.append("(");
    if (rotation.first().isPresent()) {
      text.append(count).append(" == 0 ? ");
      appendView(rotation.first().get(), text);
      text.append(" : ");
      count = "(" + count + " - 1)";
    }
    String turn = count + " % " + rotation.views().size() + "u";
    appendChoice(rotation.views(), 0, rotation.views().size(), turn, text);
    text.append(")");
  }

  /**
   * Appends a binary search among the views, so that the nesting depth is the logarithm of their
   * number.
   */
  private static void appendChoice(
      List<MultiView> views, int from, int to, String turn, StringBuilder text) {
    if (to - from == 1) {
      appendView(views.get(from), text);
      return;
    }
    int middle = (from + to) >>> 1;
    text.append("(").append(turn).append(" < ").append(middle).append("u ? ");
    appendChoice(views, from, middle, turn, text);
    text.append(" : ");
    appendChoice(views, middle, to, turn, text);
    text.append(")");
  }
}
