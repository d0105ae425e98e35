package dev.sublet.paddle;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ListMultimap;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.ObservedTensor;
import dev.sublet.paddle.runtime.OperatorTrace;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleFailure;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.RuntimeCopy;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The shapes, types and sequences of all tensors that a real run of a program wrote, in all blocks,
 * wherever they were written: what shape inference should have foretold.
 *
 * <p>The program runs as it is; Paddle's own log tells what each operator left in its outputs. So
 * nothing is added to the program, and memory is that of a plain run. Not observed: arrays, scopes,
 * sparse rows, and outputs that an operator did not write, such as those of a branch that was not
 * taken, or the operators of such a branch. One run shows one way through the program, and shapes
 * that depend on values are those of these feeds and parameters.
 */
public final class ObservedShapes {

  private static final Map<Key, ImmutableListMultimap<Definition, ObservedTensor>> CACHE =
      new ConcurrentHashMap<>();

  private final Program program;
  private final ImmutableListMultimap.Builder<Definition, ObservedTensor> observed =
      ImmutableListMultimap.builder();

  /** The operators that a line of the log may be about, by block, type and outputs. */
  private final ListMultimap<String, Operation> candidates = ArrayListMultimap.create();

  /** How many times each key of {@link #candidates} has run. */
  private final Map<String, Integer> executions = new HashMap<>();

  /**
   * What has begun and not ended, the innermost first; empty for what is not in the program: an
   * operator such as {@code tensor_array_to_tensor} may call others.
   */
  private final Deque<Optional<Operation>> running = new ArrayDeque<>();

  private ObservedShapes(Program program) {
    this.program = program;
  }

  private record Key(String program, Path parameters, Feeds feeds) {}

  /**
   * What each definition of a program was when it was last executed; with pseudo-random parameters.
   * Definitions that were not executed are absent. Runs a process, or answers from memory.
   *
   * @throws PaddleFailure if the program does not run
   */
  public static ImmutableMap<Definition, ObservedTensor> of(Program program, Feeds feeds) {
    return of(Model.withRandomParameters("observed program", program, feeds));
  }

  /** As {@link #of(Program, Feeds)}, with the model's own parameters. */
  public static ImmutableMap<Definition, ObservedTensor> of(Model model) {
    ImmutableMap.Builder<Definition, ObservedTensor> last = ImmutableMap.builder();
    everyExecution(model)
        .asMap()
        .forEach((definition, all) -> all.forEach(t -> last.put(definition, t)));
    return last.buildKeepingLast();
  }

  /** For each definition what it was each time it was executed: in loops, once an iteration. */
  public static ImmutableListMultimap<Definition, ObservedTensor> everyExecution(Model model) {
    Key key = new Key(ProgramWriter.sha256(model.program()), model.parameters(), model.feeds());
    return CACHE.computeIfAbsent(key, unused -> observe(model));
  }

  /** As {@link #everyExecution(Model)} for each of many models, which run in one process. */
  public static ImmutableMap<String, ImmutableListMultimap<Definition, ObservedTensor>>
      everyExecution(List<Model> models) {
    ImmutableList<PaddleBatch.Result> results = PaddleBatch.runModels(models, Mode.TRACED);
    ImmutableMap.Builder<String, ImmutableListMultimap<Definition, ObservedTensor>> observed =
        ImmutableMap.builder();
    for (int i = 0; i < models.size(); i++) {
      Model model = models.get(i);
      observed.put(model.name(), observe(model, results.get(i).orThrow(model).trace()));
    }
    return observed.buildOrThrow();
  }

  private static ImmutableListMultimap<Definition, ObservedTensor> observe(Model model) {
    return observe(model, PaddleRuntime.run(model, Mode.TRACED).trace());
  }

  private static ImmutableListMultimap<Definition, ObservedTensor> observe(
      Model model, List<String> trace) {
    // The copy's operators stand where the program's do.
    ObservedShapes shapes = new ObservedShapes(RuntimeCopy.of(model.program()));
    shapes.observeFeeds(model.feeds());
    shapes.indexOperations();
    shapes.observe(trace);
    return shapes.observed.build();
  }

  /** The runtime puts feeds in place without running their operators. */
  private void observeFeeds(Feeds feeds) {
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals("feed")) {
        String name = operation.outputSlots().get(0).argument(0);
        TensorData tensor = feeds.tensors().get(name);
        if (tensor != null) {
          observed.put(
              new Definition(0, operation.index(), operation.outputSlots().get(0).name(), 0),
              new ObservedTensor(Optional.of(tensor.type()), tensor.dims(), tensor.lod()));
        }
      }
    }
  }

  private void indexOperations() {
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        SortedMap<String, List<String>> outputs = new TreeMap<>();
        for (Slot slot : operation.outputSlots()) {
          for (int i = 0; i < slot.size(); i++) {
            outputs.computeIfAbsent(slot.name(), k -> new ArrayList<>()).add(slot.argument(i));
          }
        }
        candidates.put(key(block.index(), operation.type(), outputs), operation);
      }
    }
  }

  private static String key(int block, String type, SortedMap<String, List<String>> outputs) {
    // In inference the runtime replaces some control operators by ones of other names.
    return block + " " + type.replaceFirst("_infer$", "") + " " + outputs;
  }

  private void observe(List<String> trace) {
    String before = "";
    for (String line : trace) {
      OperatorTrace entry = OperatorTrace.parse(line);
      before = before.isEmpty() ? entry.line() : before;
      if (entry.type().equals("load_combine")) {
        continue; // Loads the parameters; not of the program.
      }
      if (entry.line().equals(before)) {
        running.push(begin(entry));
      } else {
        running.pop().ifPresent(operation -> end(operation, entry));
      }
    }
  }

  /**
   * The operator that begins. Equal ones of a block take turns: a block runs whole or not at all.
   */
  private Optional<Operation> begin(OperatorTrace entry) {
    int block = 0;
    if (!running.isEmpty()) {
      Optional<Operation> outer = running.element();
      if (outer.isEmpty() || outer.get().blocks().isEmpty()) {
        return Optional.empty();
      }
      block = outer.get().blocks().get(0);
    }
    SortedMap<String, List<String>> outputs = new TreeMap<>();
    entry
        .outputs()
        .forEach(
            (slot, argument) ->
                outputs.computeIfAbsent(slot, k -> new ArrayList<>()).add(argument.name()));
    String key = key(block, entry.type(), outputs);
    List<Operation> equal = candidates.get(key);
    if (equal.isEmpty()) {
      throw new IllegalStateException("the program has no operator " + key);
    }
    int execution = executions.merge(key, 1, Integer::sum) - 1;
    return Optional.of(equal.get(execution % equal.size()));
  }

  private void end(Operation operation, OperatorTrace entry) {
    entry
        .outputs()
        .asMap()
        .forEach(
            (slot, arguments) -> {
              int position = 0;
              for (OperatorTrace.Argument argument : arguments) {
                Definition definition =
                    new Definition(operation.block(), operation.index(), slot, position++);
                if (!RuntimeCopy.hasAdded(argument.name())) {
                  argument.tensor().ifPresent(tensor -> observed.put(definition, tensor));
                }
              }
            });
  }
}
