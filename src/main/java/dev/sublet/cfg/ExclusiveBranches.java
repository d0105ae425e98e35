package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.function.Predicate;

/**
 * Pairs of conditional blocks of which exactly one runs. Exporters write if/else in this form:
 *
 * <pre>
 *   conditional_block(c) { a = … }
 *   conditional_block(logical_not(c)) { b = … }
 *   r = select_input(X = [b, a], Mask = cast(c))
 * </pre>
 *
 * <p>Only the selection reads a and b. So while the second branch runs, a has no value that is
 * needed, and both results can have the same bytes.
 */
public final class ExclusiveBranches {

  /**
   * A variable that one branch writes and only selections between the two branches read.
   *
   * @param variable the variable
   * @param branch the region of the branch that writes it
   * @param other the region of the other branch
   */
  public record Result(int variable, int branch, int other) {}

  /**
   * The two exclusive results that one selection chooses between.
   *
   * @param node the selection
   * @param first the result of the branch that comes first
   * @param second the result of the other branch
   */
  public record BranchChoice(int node, int first, int second) {}

  private final ImmutableMap<Integer, Result> results;
  private final ImmutableList<BranchChoice> choices;

  ExclusiveBranches(ImmutableMap<Integer, Result> results, ImmutableList<BranchChoice> choices) {
    this.results = results;
    this.choices = choices;
  }

  /** Returns the results that fit, and the choices between two of them. O(results + choices). */
  ExclusiveBranches filter(Predicate<Result> fits) {
    ImmutableMap.Builder<Integer, Result> kept = ImmutableMap.builder();
    results.forEach(
        (variable, result) -> {
          if (fits.test(result)) {
            kept.put(variable, result);
          }
        });
    ImmutableMap<Integer, Result> fitting = kept.buildOrThrow();
    return new ExclusiveBranches(
        fitting,
        choices.stream()
            .filter(each -> fitting.containsKey(each.first()) && fitting.containsKey(each.second()))
            .collect(ImmutableList.toImmutableList()));
  }

  /** The exclusive results, by variable. */
  public ImmutableMap<Integer, Result> results() {
    return results;
  }

  /** Pairs of results of opposite branches that a selection chooses between. */
  public ImmutableList<BranchChoice> choices() {
    return choices;
  }
}
