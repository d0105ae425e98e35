package dev.sublet.paddle.runtime;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.runtime.kernel.LodTensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Runs tens of thousands of tiny models, eight joined to one at a time, because much of their time
 * goes into loading them. If a joined model does not run, its parts run by themselves.
 *
 * <p>Only models of one block are joined. The names of each get a prefix: {@code j3.x} is {@code x}
 * of the fourth one.
 */
public final class JoinedBatch {

  private static final int MODELS_AT_ONCE = 8;

  private static final ImmutableSet<String> SHARED =
      ImmutableSet.of(PaddleBatch.FEED, "feed", "fetch", "@EMPTY@", "");

  private JoinedBatch() {}

  /** Runs models and returns their fetched outputs; see {@link PaddleBatch#run(List)}. */
  public static ImmutableList<PaddleBatch.Result> run(List<PaddleBatch.Item> items) {
    return run(items, PaddleBatch::run);
  }

  /**
   * Runs models and returns the log's lines about their operators; see {@link PaddleBatch#trace}.
   */
  public static ImmutableList<PaddleBatch.Result> trace(List<PaddleBatch.Item> items) {
    return run(items, PaddleBatch::trace);
  }

  private static ImmutableList<PaddleBatch.Result> run(
      List<PaddleBatch.Item> items,
      Function<List<PaddleBatch.Item>, ImmutableList<PaddleBatch.Result>> runner) {
    List<List<Integer>> groups = groups(items);
    PaddleBatch.Result[] results = new PaddleBatch.Result[items.size()];
    while (!groups.isEmpty()) {
      ImmutableList<PaddleBatch.Result> joined =
          runner.apply(groups.stream().map(group -> join(items, group)).toList());
      List<List<Integer>> again = new ArrayList<>();
      for (int g = 0; g < groups.size(); g++) {
        List<Integer> group = groups.get(g);
        PaddleBatch.Result result = joined.get(g);
        if (group.size() == 1) {
          results[group.get(0)] = result;
        } else if (result.failure().isEmpty()) {
          for (int i = 0; i < group.size(); i++) {
            results[group.get(i)] = part(result, prefix(i));
          }
        } else {
          // Not halves: another round costs two processes, and a crash one.
          again.addAll(Lists.partition(group, 1));
        }
      }
      groups = again;
    }
    return ImmutableList.copyOf(results);
  }

  private static List<List<Integer>> groups(List<PaddleBatch.Item> items) {
    List<Integer> joinable = new ArrayList<>();
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).program().getBlocksCount() == 1) {
        joinable.add(i);
      } else {
        groups.add(List.of(i));
      }
    }
    groups.addAll(Lists.partition(joinable, MODELS_AT_ONCE));
    return groups;
  }

  private static String prefix(int number) {
    return "j" + number + ".";
  }

  private static PaddleBatch.Item join(List<PaddleBatch.Item> items, List<Integer> group) {
    if (group.size() == 1) {
      return items.get(group.get(0));
    }
    ProgramDesc.Builder message = items.get(group.get(0)).program().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0).clearVars().clearOps();
    ImmutableMap.Builder<String, LodTensor> parameters = ImmutableMap.builder();
    int fetches = 0;
    for (int i = 0; i < group.size(); i++) {
      String prefix = prefix(i);
      PaddleBatch.Item item = items.get(group.get(i));
      item.parameters().forEach((name, tensor) -> parameters.put(prefix + name, tensor));
      BlockDesc own = item.program().getBlocks(0);
      for (VarDesc variable : own.getVarsList()) {
        if (i == 0 || !isShared(variable.getName())) {
          block.addVars(variable.toBuilder().setName(named(prefix, variable.getName())));
        }
      }
      for (OpDesc operation : own.getOpsList()) {
        if (i == 0 || !operation.getType().equals("feed")) {
          OpDesc.Builder copy = renamed(operation, prefix);
          if (operation.getType().equals("fetch")) {
            setColumn(copy, fetches++);
          }
          block.addOps(copy);
        }
      }
    }
    return new PaddleBatch.Item(message.build(), parameters.buildOrThrow());
  }

  /** Whether a name stays: of the feed, of the holders of feeds and fetches, of no variable. */
  private static boolean isShared(String name) {
    return SHARED.contains(name);
  }

  private static String named(String prefix, String name) {
    return isShared(name) ? name : prefix + name;
  }

  private static OpDesc.Builder renamed(OpDesc operation, String prefix) {
    OpDesc.Builder copy = operation.toBuilder();
    copy.getInputsBuilderList().forEach(slot -> rename(slot, prefix));
    copy.getOutputsBuilderList().forEach(slot -> rename(slot, prefix));
    return copy;
  }

  private static void rename(OpDesc.Var.Builder slot, String prefix) {
    for (int i = 0; i < slot.getArgumentsCount(); i++) {
      slot.setArguments(i, named(prefix, slot.getArguments(i)));
    }
  }

  private static void setColumn(OpDesc.Builder fetch, int column) {
    for (OpDesc.Attr.Builder attribute : fetch.getAttrsBuilderList()) {
      if (attribute.getName().equals("col")) {
        attribute.setI(column);
      }
    }
  }

  /** The result of one of the joined models: its outputs and lines, without the prefix. */
  private static PaddleBatch.Result part(PaddleBatch.Result joined, String prefix) {
    ImmutableMap.Builder<String, TensorData> outputs = ImmutableMap.builder();
    joined
        .outputs()
        .forEach(
            (name, tensor) -> {
              if (name.startsWith(prefix)) {
                outputs.put(name.substring(prefix.length()), tensor);
              }
            });
    ImmutableList<String> trace =
        joined.trace().stream()
            .filter(line -> line.contains("[" + prefix))
            .map(line -> line.replace(prefix, ""))
            .collect(toImmutableList());
    return new PaddleBatch.Result(outputs.buildOrThrow(), trace, joined.failure());
  }
}
