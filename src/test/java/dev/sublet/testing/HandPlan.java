package dev.sublet.testing;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.UnneededCopy;
import dev.sublet.plan.Unplanned;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans that tests write, one entry a line:
 *
 * <pre>
 * 0:x 1[0,16] 16 5-19 24-28      16 bytes of block 0's x at points 5 to 18 and 24 to 27: at 0 in
 *                                even iterations of block 1, at 16 in odd ones
 * 0:x 1{0}[16,32] 16 5-19        at 0 in its first iteration, then at 16 and 32 in turn
 * skip 1.3 1:y 0:x               operator 3 of block 1, which copies y to x, need not run
 * unplanned 1:z                  block 1's z is left to the runtime
 * step 1 48                      what follows is in a step arena of 48 bytes, one for each iteration
 *                                of block 1
 * </pre>
 */
public final class HandPlan {

  private String rest;

  private HandPlan(String view) {
    this.rest = view;
  }

  /** A plan with one arena, and those for steps. */
  public static MemoryPlan of(long arenaBytes, String lines) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    ImmutableList.Builder<UnneededCopy> copies = ImmutableList.builder();
    ImmutableList.Builder<Unplanned> unplanned = ImmutableList.builder();
    List<Arena> arenas = new ArrayList<>();
    arenas.add(new Arena("cpu", arenaBytes, 0, 1));
    for (String line : Splitter.on('\n').trimResults().omitEmptyStrings().split(lines)) {
      List<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(line);
      if (words.get(0).equals("skip")) {
        copies.add(copy(words));
      } else if (words.get(0).equals("unplanned")) {
        unplanned.add(new Unplanned(variable(words.get(1)), "by hand"));
      } else if (words.get(0).equals("step")) {
        arenas.add(
            new Arena("cpu", Long.parseLong(words.get(2)), 0, 1)
                .forStepsOf(Integer.parseInt(words.get(1))));
      } else {
        allocations.add(allocation(words, arenas.size() - 1));
      }
    }
    return new MemoryPlan(
        "",
        "hand",
        1,
        ExecutionOrder.SEQUENTIAL,
        ImmutableList.copyOf(arenas),
        allocations.build(),
        unplanned.build(),
        /* aliases= */ ImmutableList.of(),
        copies.build());
  }

  private static UnneededCopy copy(List<String> words) {
    List<String> operator = Splitter.on('.').splitToList(words.get(1));
    return new UnneededCopy(
        Integer.parseInt(operator.get(0)),
        Integer.parseInt(operator.get(1)),
        variable(words.get(2)),
        variable(words.get(3)),
        16);
  }

  private static Allocation allocation(List<String> words, int arena) {
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    for (String interval : words.subList(3, words.size())) {
      List<String> ends = Splitter.on('-').splitToList(interval);
      live.add(new Interval(Integer.parseInt(ends.get(0)), Integer.parseInt(ends.get(1))));
    }
    MultiView view = new HandPlan(words.get(1)).view();
    return new Allocation(
        variable(words.get(0)),
        arena,
        view.offset(block -> 0),
        Long.parseLong(words.get(2)),
        live.build(),
        view instanceof MultiView.FixedView ? Optional.empty() : Optional.of(view));
  }

  private static VariableId variable(String text) {
    int colon = text.indexOf(':');
    return new VariableId(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1));
  }

  /** number, or block, perhaps a view in braces, views in brackets with commas between. */
  private MultiView view() {
    int digits = CharMatcher.inRange('0', '9').negate().indexIn(rest + " ");
    int number = Integer.parseInt(rest.substring(0, digits));
    rest = rest.substring(digits);
    if (!rest.startsWith("{") && !rest.startsWith("[")) {
      return new MultiView.FixedView(number);
    }
    Optional<MultiView> first = Optional.empty();
    if (rest.startsWith("{")) {
      rest = rest.substring(1);
      first = Optional.of(view());
      rest = rest.substring(1);
    }
    ImmutableList.Builder<MultiView> views = ImmutableList.builder();
    do {
      rest = rest.substring(1);
      views.add(view());
    } while (rest.startsWith(","));
    rest = rest.substring(1);
    return new MultiView.Rotation(number, first, views.build());
  }
}
