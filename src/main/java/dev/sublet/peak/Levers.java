package dev.sublet.peak;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.BetterOrder;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.program.Names;
import dev.sublet.program.Operation;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.Program;
import dev.sublet.shape.ShapeOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The changes of a program or of its options that make its arena smaller, each planned and proved
 * by itself. If operators run again, it is also proved that the results stay the same. Tried are
 * the reuse of feeds, views of parts, smaller inputs, another order of the operators, each result
 * that is left out, each large tensor of the peak that is computed a second time, and the operator
 * at the peak on one half of its batch after the other.
 *
 * @param levers the changes that help, by bytes saved; on a tie, in the order in which they are
 *     tried
 * @param tried the number of changes that were planned
 * @param order the limit of what another order of the operators can save
 * @param noHalves the reason why halves of the batch are not among the changes, in one line; empty
 *     if they are
 */
public record Levers(
    ImmutableList<Lever> levers, int tried, OrderLimit order, Optional<String> noHalves) {

  /** The results that are left out at most, one at a time. */
  private static final int MOST_RESULTS = 8;

  /** The tensors that are computed again at most, one at a time. */
  private static final int MOST_TENSORS = 6;

  private static final ImmutableLongArray NO_DIMS = ImmutableLongArray.of();

  /**
   * Plans each change. O(plans).
   *
   * @param given the program
   * @param base the plan without any change
   * @param peak the peak of that plan
   * @param order the best order of the operators that was found
   */
  public static Levers find(
      ProgramVersion given,
      TranspileOptions options,
      PlanResult base,
      PlanPeak peak,
      BetterOrder order) {
    Search search = new Search(given, options, base);
    search.tryOptions();
    OrderLimit limit = search.tryOrder(order);
    search.tryWithoutResults();
    search.tryRecomputation(peak);
    Optional<String> noHalves = search.trySplits(peak);
    search.found.sort(Comparator.comparingLong(Lever::arenaBytes));
    return new Levers(ImmutableList.copyOf(search.found), search.tried, limit, noHalves);
  }

  private static final class Search {
    private final ProgramVersion given;
    private final Program program;
    private final TranspileOptions options;
    private final PlanResult base;
    private final List<Lever> found = new ArrayList<>();
    private int tried;

    Search(ProgramVersion given, TranspileOptions options, PlanResult base) {
      this.given = given;
      this.program = given.program();
      this.options = options;
      this.base = base;
    }

    void tryOptions() {
      ObservationOptions seen = options.observation();
      if (!seen.reuseFeeds()) {
        ObservationOptions reusing =
            new ObservationOptions(
                seen.fetch(), seen.keep(), /* reuseFeeds= */ true, seen.aliases());
        tryOption(
            "--reuse-feeds",
            "a feed is gone after its last read",
            "give that option to 'plan' or 'optimize'",
            options.withObservation(reusing));
      }
      if (options.offsets().views() != Views.ALL) {
        tryOption(
            "--views all",
            "the runtime can join and split tensors in place",
            "give that option to 'plan' or 'optimize'",
            options.withOffsets(options.offsets().withViews(Views.ALL)));
      }
      tryShapes();
      long batch = options.analysis().shapes().batch();
      if (batch > 1) {
        ShapeOptions shapes = options.analysis().shapes();
        tryInputs(
            "--batch " + batch / 2,
            "more runs",
            "feed a batch of "
                + batch / 2
                + " in each run, and give that option to 'plan' or 'optimize'",
            shapes.withBatch(batch / 2));
      }
    }

    /**
     * Halves the given extents of images: extents other than the first one that the program leaves
     * open.
     */
    private void tryShapes() {
      ShapeOptions shapes = options.analysis().shapes();
      for (Map.Entry<String, ImmutableLongArray> feed : shapes.feedShapes().entrySet()) {
        int variable = program.declared(0, feed.getKey());
        ImmutableLongArray declared =
            variable < 0
                ? ImmutableLongArray.of()
                : program.variable(variable).tensorType().map(t -> t.dims()).orElse(NO_DIMS);
        ImmutableLongArray shape = feed.getValue();
        ImmutableLongArray.Builder halved = ImmutableLongArray.builder();
        for (int i = 0; i < shape.length(); i++) {
          boolean isOpen = i > 0 && i < declared.length() && declared.get(i) < 0;
          halved.add(isOpen && shape.get(i) > 1 ? shape.get(i) / 2 : shape.get(i));
        }
        ImmutableLongArray half = halved.build();
        if (!half.equals(shape)) {
          Map<String, ImmutableLongArray> changed = new LinkedHashMap<>(shapes.feedShapes());
          changed.put(feed.getKey(), half);
          tryInputs(
              "--shape " + Names.display(feed.getKey()) + "=" + Joiner.on(',').join(half.asList()),
              "a smaller input",
              "feed that shape, and give that option to 'plan' or 'optimize'",
              shapes.withShapes(ImmutableMap.copyOf(changed)));
        }
      }
    }

    private void tryOption(String option, String price, String advice, TranspileOptions used) {
      planned(option, price, program, used, ChangeForm.ofOptions(advice)).ifPresent(found::add);
    }

    /** Plans smaller inputs, unless the program does not accept them. */
    private void tryInputs(String option, String price, String advice, ShapeOptions shapes) {
      TranspileOptions used = options.withShapes(shapes);
      try {
        ProgramFacts.of(program, used.analysis(), new DiagnosticLog());
      } catch (ProgramException e) {
        return;
      }
      tryOption(option, price, advice, used);
    }

    OrderLimit tryOrder(BetterOrder order) {
      if (order.program().isEmpty()) {
        return order.isLeast() ? OrderLimit.IS_LEAST : OrderLimit.NONE_FOUND;
      }
      String price = "the runtime runs the operators in the order of the file";
      int before = found.size();
      planned(
              "optimize --schedule memory",
              price,
              order.program().get(),
              options,
              ChangeForm.ofOptions("'optimize IN --schedule memory -o OUT' writes it"))
          .ifPresent(found::add);
      if (found.size() == before) {
        return OrderLimit.NO_SMALLER_ARENA;
      }
      return order.isLeast() ? OrderLimit.FOUND_IS_LEAST : OrderLimit.FOUND;
    }

    void tryWithoutResults() {
      List<Operation> fetches = new ArrayList<>();
      for (Operation operation : program.block(0).operations()) {
        boolean isFetch = operation.type().equals("fetch") || operation.type().equals("fetch_v2");
        if (isFetch && operation.inputCount() == 1) {
          fetches.add(operation);
        }
      }
      for (int i = 0; i < Math.min(MOST_RESULTS, fetches.size()) && fetches.size() > 1; i++) {
        Operation fetch = fetches.get(i);
        String name = Names.display(program.variable(fetch.input(0)).name());
        ProgramVersion without = without(fetch);
        planned(
                "without the result '" + name + "'",
                "the result is not fetched",
                without.program(),
                options,
                ChangeForm.ofResults(without))
            .ifPresent(found::add);
      }
    }

    private ProgramVersion without(Operation fetch) {
      return given.model().isPresent()
          ? ProgramVersion.of(
              given
                  .model()
                  .get()
                  .withoutOutput(fetch.attribute("col").map(c -> (int) c.asLong(0)).orElse(0)))
          : ProgramVersion.of(OperatorEdits.withoutFetch(program, fetch.index()));
    }

    void tryRecomputation(PlanPeak peak) {
      int count = 0;
      for (PeakTensor tensor : peak.tensors()) {
        Optional<Recomputation> again = Recomputation.of(given, base.facts(), tensor, peak.node());
        if (again.isPresent() && count++ < MOST_TENSORS) {
          tryAgain(Names.display(tensor.variable().name()), again.get());
        }
      }
    }

    private void tryAgain(String name, Recomputation again) {
      String elements =
          again.elements() < 0 ? "" : " of " + ByteText.count(again.elements()) + " elements";
      String flops = again.flops() < 0 ? "" : ": " + ByteText.count(again.flops()) + " FLOPs";
      String price = "one more " + again.type() + elements + flops;
      String change = "compute '" + name + "' again before " + again.reader();
      ChangeForm form = ChangeForm.ofOperators(again.program(), "");
      planned(change, price, again.program().program(), options, form)
          .filter(this::isProved)
          .ifPresent(lever -> found.add(lever.withFlops(again.flops())));
    }

    /**
     * Finds the best way to run the operator at the peak on two halves of its batch. Returns the
     * reason if no way helps.
     */
    Optional<String> trySplits(PlanPeak peak) {
      ImmutableList<BatchSplit> possible = BatchSplit.of(given, base.facts(), peak.node());
      List<Lever> splits = new ArrayList<>();
      for (BatchSplit split : possible) {
        String change =
            "run " + split.first() + " to " + split.last() + " on half the batch, twice";
        String passes =
            given.model().isPresent() ? "the runtime's optimizations" : "Paddle's graph passes";
        String price =
            "copies " + ByteText.exact(split.copiedBytes()) + "; " + passes + " must be off";
        ChangeForm form =
            ChangeForm.ofOperators(
                split.program(), "give it more than " + split.rowsOfFirst() + " rows");
        planned(change, price, split.program().program(), options, form).ifPresent(splits::add);
      }
      Optional<Lever> best =
          splits.stream()
              .sorted(Comparator.comparingLong(Lever::arenaBytes))
              .filter(this::isProved)
              .findFirst();
      best.ifPresent(found::add);
      if (best.isPresent()) {
        return Optional.empty();
      }
      return Optional.of(
          possible.isEmpty()
              ? BatchSplit.obstacle(given, base.facts(), peak.node())
              : "the arena is no smaller, or there is no proof; tried: "
                  + possible.get(0).first()
                  + " to "
                  + possible.get(0).last()
                  + (possible.size() > 1 ? ", and " + (possible.size() - 1) + " more" : ""));
    }

    /** Whether a validator accepts that the changed program computes the same. */
    private boolean isProved(Lever lever) {
      Program changed = lever.program().orElseThrow().program();
      return Verifier.verify(program, changed, options).isValid();
    }

    /** Plans a change; empty if the change does not help, or the plan does not fit. */
    private Optional<Lever> planned(
        String change, String price, Program changed, TranspileOptions used, ChangeForm form) {
      long bytes;
      try {
        bytes = Transpiler.plan(changed, used).plan().arenaBytes();
      } catch (ProgramException e) {
        if (e.exitCode() != Diagnostic.Kind.INFEASIBLE.exitCode()) {
          throw e;
        }
        return Optional.empty();
      }
      tried++;
      return bytes < base.plan().arenaBytes()
          ? Optional.of(new Lever(change, price, OptionalLong.empty(), bytes, form))
          : Optional.empty();
    }
  }
}
