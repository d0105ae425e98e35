package dev.sublet.cli.flag;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.ResultPictures;
import dev.sublet.TableResult;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.picture.Picture;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import java.nio.file.Path;

/** Pictures of what runs have made. Each is called by the name of its input's file. */
public final class Pictures {

  private Pictures() {}

  /** What a picture must know of a program. */
  public static ControlFlowGraph graph(Program program) {
    return ControlFlowGraph.build(program, OperatorCatalog.standard());
  }

  /** The plan of a program as it is. */
  public static Picture ofPlan(String source, ControlFlowGraph graph, MemoryPlan plan) {
    return Picture.ofPlan(title(source), graph, plan);
  }

  /** The plan of a program that is not at hand. */
  public static Picture ofPlan(String source, MemoryPlan plan) {
    return Picture.ofPlan(title(source), plan);
  }

  /** A rewrite. What is known of the original is found out once more: few want pictures. */
  public static Picture ofRewrite(String source, TranspileResult result, TranspileOptions options) {
    return ResultPictures.ofRewrite(title(source), result, options);
  }

  /** A table of buffers that was planned. */
  public static Picture ofTable(String source, TableResult result) {
    return ResultPictures.ofTable(title(source), result);
  }

  /** A table of buffers that has offsets. What no offsets can go below is not asked. */
  public static Picture ofTable(String source, BufferTable table) {
    long bytes = 0;
    ImmutableLongArray offsets = table.offsets();
    for (int i = 0; i < offsets.length(); i++) {
      bytes = Math.max(bytes, Math.addExact(offsets.get(i), table.rows().get(i).size()));
    }
    return Picture.ofTable(title(source), table, offsets, bytes, /* lowerBound= */ 0);
  }

  /** Where a file was is not told to those who get the picture. */
  private static String title(String source) {
    return String.valueOf(Path.of(source).getFileName());
  }
}
