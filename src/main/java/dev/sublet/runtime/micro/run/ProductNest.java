package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.ProductForm;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/**
 * Runs a {@link ProductForm}. An item of work is a strip of lanes of a batch, for a block of rows:
 *
 * <pre>
 * for some points at a time:
 *   fill the panel: the first factor of all lanes at these points
 *   for each row: sums of the row += panel * the row's factors
 * for each row: run the statements that use the sum
 * </pre>
 *
 * <p>So the panel is filled once for all rows, each sum adds its points in the order of the plain
 * loops, and the innermost loops are those of {@link FloatLanes}.
 */
final class ProductNest implements Nest.Worker {

  /** The greatest number of rows in a block: their sums fit into the second-level cache. */
  private static final int ROWS = 128;

  /**
   * The number of computed lanes is a multiple of this one; the results of surplus lanes are not
   * used.
   */
  private static final int VECTOR = 16;

  private final ProductForm form;
  private final Division division;
  private final Panel panel;
  private final Factors factors;
  private final NestMemory memory;
  private final FloatCarried sum;
  private final LinearForm[] forms;
  private final MicroStep[] steps;

  private final float[][] sums;

  /**
   * The division of the work.
   *
   * @param strip the number of lanes per strip
   * @param strips the number of strips per batch
   * @param block the number of rows per block
   * @param blocks the number of blocks per strip
   * @param items the number of items in all
   */
  record Division(int strip, long strips, int block, long blocks, long items) {

    /**
     * Divides the lanes into strips of about equal length. The rows are divided into more blocks
     * than necessary only if there is too little work to share.
     */
    static Division of(ProductForm form, int workers) {
      long lanes = form.lanes().count();
      long strips = ceil(lanes, VectorizationPlan.LANES);
      long strip = Math.min(VectorizationPlan.LANES, VECTOR * ceil(ceil(lanes, strips), VECTOR));
      strips = ceil(lanes, strip);
      long rows = form.rows().count();
      long wanted = form.batches().count() * strips < workers ? workers : 1;
      long block = Math.max(1, Math.min(ROWS, ceil(rows, wanted)));
      long blocks = ceil(rows, block);
      long items = Math.multiplyExact(form.batches().count(), Math.multiplyExact(strips, blocks));
      return new Division((int) strip, strips, (int) block, blocks, items);
    }

    private static long ceil(long a, long b) {
      return (a + b - 1) / b;
    }
  }

  /**
   * Creates a worker.
   *
   * @param memory the worker's own memory
   * @param statements the statements that use the sum: steps in the form's outer loop, with the
   *     innermost lane loop as their lane loop
   * @param forms the affine forms in the steps' addresses
   */
  ProductNest(
      BoundNest nest,
      ProductForm form,
      Division division,
      NestMemory memory,
      ImmutableList<MicroStep> statements,
      ImmutableList<LinearForm> forms) {
    this.form = form;
    this.division = division;
    this.memory = memory;
    this.panel = new Panel(nest, form, memory.buffer(form.panel().access().tensor()));
    Buffer buffer = memory.buffer(form.factor().access().tensor());
    this.factors = new Factors(nest, form, buffer, division.block());
    this.sum = (FloatCarried) memory.carried(form.sum());
    this.steps = statements.toArray(new MicroStep[0]);
    this.forms = forms.toArray(new LinearForm[0]);
    this.sums = new float[division.block()][VectorizationPlan.LANES];
  }

  @Override
  public void run(long from, long to) {
    for (long item = from; item < to; item++) {
      long strip = item / division.blocks();
      form.batches().set(strip / division.strips(), memory.index());
      long firstLane = strip % division.strips() * division.strip();
      int lanes = (int) Math.min(division.strip(), form.lanes().count() - firstLane);
      long firstRow = item % division.blocks() * division.block();
      int rows = (int) Math.min(division.block(), form.rows().count() - firstRow);
      panel.begin(firstLane, lanes, memory.index());
      beginRows(firstRow, rows);
      sum(rows, Math.min(VectorizationPlan.LANES, (lanes + VECTOR - 1) / VECTOR * VECTOR));
      for (int row = 0; row < rows; row++) {
        form.rows().set(firstRow + row, memory.index());
        finish(sums[row], firstLane, lanes);
      }
    }
  }

  private void beginRows(long firstRow, int rows) {
    for (int row = 0; row < rows; row++) {
      form.rows().set(firstRow + row, memory.index());
      factors.setRow(row, memory.index());
      Arrays.fill(sums[row], 0);
    }
  }

  private void sum(int rows, int lanes) {
    long count = form.points().count();
    for (long first = 0; first < count; first += Panel.POINTS) {
      int some = (int) Math.min(Panel.POINTS, count - first);
      for (int k = 0; k < some; k++) {
        form.points().set(first + k, memory.index());
        factors.setPoint(k, memory.index());
        panel.load(k, memory.index());
      }
      for (int row = 0; row < rows; row++) {
        panel.addProducts(sums[row], factors.ofRow(row, some), some, lanes);
      }
    }
  }

  /** Runs the statements that use a row's sums. */
  private void finish(float[] values, long firstLane, int lanes) {
    int lane = 0;
    while (lane < lanes) {
      form.lanes().set(firstLane + lane, memory.index());
      int run = (int) Math.min(lanes - lane, form.lanes().left(memory.index()));
      System.arraycopy(values, lane, sum.values(), 0, run);
      for (LinearForm linear : forms) {
        linear.enter();
      }
      for (MicroStep step : steps) {
        step.execute(run);
      }
      lane += run;
    }
  }
}
