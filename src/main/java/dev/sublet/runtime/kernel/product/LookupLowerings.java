package dev.sublet.runtime.kernel.product;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.shape.GatherLowerings;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;

/** Lookups of rows in tables: embeddings. */
public final class LookupLowerings {

  private LookupLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated("lookup_table", lowering -> lookUp(lowering, /* column= */ true));
    kernels.differentiated("lookup_table_v2", lowering -> lookUp(lowering, /* column= */ false));
  }

  /** Lowers a lookup of rows in a table. The row of the padding index is zero. */
  private static void lookUp(LoweringCall lowering, boolean column) {
    Formula f = new Formula(lowering.graph());
    MicroValue table = lowering.in("W");
    MicroValue ids = lowering.in("Ids");
    Shapes.ofRank(2, f.shape(table), "W");
    long[] outer = column ? Shapes.without(f.shape(ids), f.rank(ids) - 1) : f.shape(ids);
    MicroValue list = f.reshape(ids, Shapes.count(f.shape(ids)));
    MicroValue rows = GatherLowerings.selected(f, table, list, 0);
    long padding = lowering.call().integer("padding_idx", -1);
    if (padding != -1) {
      MicroValue index = f.along(list, f.shape(rows), 0);
      MicroValue isPadding = f.apply(BinaryOperator.EQUAL, index, padding);
      rows = f.graph().choose(isPadding, f.number(rows, 0), rows);
    }
    long[] width = {f.shape(table)[1]};
    lowering.out("Out", f.reshape(rows, Shapes.concat(outer, width)));
  }
}
