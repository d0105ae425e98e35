package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.paddle.oracle.OracleCase;
import dev.sublet.paddle.oracle.OracleText;
import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.mutate.ProgramMutations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No operator fails on inputs and attributes that are not sound: it computes something, or says in
 * one line what is wrong. The operators are those of {@code testdata/operators}, damaged.
 */
final class KernelRobustnessTest {

  private static final ImmutableList<ElementType> TYPES =
      ImmutableList.copyOf(ElementType.values());
  private static final int MUTANTS_OF_A_LINE = 4;

  /** Tensors of more elements than this are right, and take long. */
  private static final double MANY_ELEMENTS = 1e5;

  /** What failed, with what showed it. */
  private final Map<String, String> failures = new LinkedHashMap<>();

  private int computed;
  private int refused;

  @Test
  void damagedInputs_areComputedOrRefused() throws IOException {
    for (String line : lines()) {
      SplittableRandom random = new SplittableRandom(line.hashCode());
      ImmutableList<OracleCase> cases = OracleText.cases(line);
      for (int i = 0; i < MUTANTS_OF_A_LINE; i++) {
        OracleCase one = cases.get(random.nextInt(cases.size()));
        OperatorCall call = one.call();
        if (call.inputs().isEmpty()) {
          continue;
        }
        ImmutableListMultimap<String, LodTensor> inputs = damaged(call.inputs(), random);
        OperatorCall damaged = new OperatorCall(call.operation(), inputs, slots(one));
        attempt(damaged.type() + inputs, () -> KernelRunner.compute(damaged, Kernels.all()));
      }
    }
    checkCounts();
  }

  @Test
  void damagedPrograms_areExecutedOrRefused() throws IOException {
    for (String line : lines()) {
      SplittableRandom random = new SplittableRandom(line.hashCode());
      ImmutableList<OracleCase> cases = OracleText.cases(line);
      for (int i = 0; i < MUTANTS_OF_A_LINE; i++) {
        OracleCase one = cases.get(random.nextInt(cases.size()));
        ProgramDesc damaged = ProgramMutations.mutate(one.program("c"), random.nextLong());
        if (isSmall(damaged)) {
          attempt(damaged.toString(), () -> execute(damaged));
        }
      }
    }
    checkCounts();
  }

  private void checkCounts() {
    assertThat(failures).isEmpty();
    assertThat(computed).isGreaterThan(1000);
    assertThat(refused).isGreaterThan(1000);
  }

  private static List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("testdata", "operators"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".txt")).sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          if (!line.isBlank() && !line.startsWith("#")) {
            lines.add(line);
          }
        }
      }
    }
    return lines;
  }

  private void attempt(String what, Runnable attempt) {
    try {
      attempt.run();
      computed++;
    } catch (OperatorException | ProgramException e) {
      refused++;
    } catch (RuntimeException | AssertionError e) {
      failures.putIfAbsent(e + " at " + place(e), what);
    }
  }

  private static String place(Throwable e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.sublet.")) {
        return frame.toString();
      }
    }
    return "no place";
  }

  private static void execute(ProgramDesc message) {
    Program program = Program.of(message);
    Executor.run(
        program,
        ImmutableMap.of(),
        RandomTensors.parameters(program),
        ExecutionOptions.defaults().withMaxSteps(1000));
  }

  private static ImmutableSet<String> slots(OracleCase one) {
    return one.outputs().stream()
        .map(OracleCase.Output::slot)
        .collect(ImmutableSet.toImmutableSet());
  }

  /** Whether nothing is declared, or asked for, that is right and takes long. */
  private static boolean isSmall(ProgramDesc program) {
    BlockDesc block = program.getBlocks(0);
    for (VarDesc variable : block.getVarsList()) {
      double elements = 1;
      for (long extent : variable.getType().getLodTensor().getTensor().getDimsList()) {
        elements *= Math.max(1, extent);
      }
      if (elements > MANY_ELEMENTS) {
        return false;
      }
    }
    for (OpDesc operation : block.getOpsList()) {
      for (OpDesc.Attr attribute : operation.getAttrsList()) {
        List<Long> numbers = new ArrayList<>(attribute.getLongsList());
        attribute.getIntsList().forEach(number -> numbers.add((long) number));
        numbers.add((long) attribute.getI());
        numbers.add(attribute.getL());
        for (double real : attribute.getFloatsList()) {
          numbers.add((long) Math.min(real, 1e9));
        }
        if (numbers.stream().anyMatch(number -> Math.abs((double) number) > 1000)) {
          return false;
        }
      }
    }
    return true;
  }

  private static ImmutableListMultimap<String, LodTensor> damaged(
      ImmutableListMultimap<String, LodTensor> inputs, SplittableRandom random) {
    ListMultimap<String, LodTensor> damaged = LinkedListMultimap.create(inputs);
    List<String> slots = new ArrayList<>(inputs.keySet());
    for (int faults = 1 + random.nextInt(2); faults > 0; faults--) {
      List<LodTensor> slot = damaged.get(slots.get(random.nextInt(slots.size())));
      if (!slot.isEmpty()) {
        int i = random.nextInt(slot.size());
        switch (random.nextInt(12)) {
          case 0 -> slot.remove(i);
          case 1 -> slot.add(damaged(slot.get(i), random));
          default -> slot.set(i, damaged(slot.get(i), random));
        }
      }
    }
    return ImmutableListMultimap.copyOf(damaged);
  }

  /** Another rank, extent, type, or other elements, or cut into other sequences. */
  private static LodTensor damaged(LodTensor tensor, SplittableRandom random) {
    ElementType type = tensor.tensor().type();
    long[] shape = tensor.tensor().shape().toArray();
    switch (random.nextInt(shape.length == 0 ? 3 : 6)) {
      case 0 -> {
        long[] longer = Arrays.copyOf(shape, shape.length + 1);
        longer[shape.length] = random.nextInt(4);
        return LodTensor.of(elements(type, longer, random));
      }
      case 1 -> {
        ElementType other = TYPES.get(random.nextInt(TYPES.size()));
        return new LodTensor(elements(other, shape, random), tensor.lod());
      }
      case 2 -> {
        return new LodTensor(elements(type, shape, random), tensor.lod());
      }
      case 3 -> {
        long[] shorter = Arrays.copyOfRange(shape, 1, shape.length);
        return LodTensor.of(elements(type, shorter, random));
      }
      case 4 -> {
        shape[random.nextInt(shape.length)] = random.nextInt(5);
        return LodTensor.of(elements(type, shape, random));
      }
      default -> {
        long[] offsets = new long[2 + random.nextInt(4)];
        for (int i = 1; i < offsets.length - 1; i++) {
          offsets[i] = random.nextLong(shape[0] + 1);
        }
        offsets[offsets.length - 1] = shape[0];
        Arrays.sort(offsets);
        ImmutableLongArray level = ImmutableLongArray.copyOf(offsets);
        return new LodTensor(tensor.tensor(), ImmutableList.of(level));
      }
    }
  }

  private static Tensor elements(ElementType type, long[] shape, SplittableRandom random) {
    Tensor tensor = Tensor.zeros(type, ImmutableLongArray.copyOf(shape));
    double[] odd = {Double.NaN, 1e30, -1e30, Double.POSITIVE_INFINITY};
    long[] far = {-100, 100, 1L << 40, Integer.MAX_VALUE, Long.MIN_VALUE};
    for (int i = 0; i < tensor.length(); i++) {
      boolean isOdd = random.nextInt(8) == 0;
      if (type.isFloating()) {
        double usual = 4 * random.nextDouble() - 2;
        ElementWriter.put(tensor, i, isOdd ? odd[random.nextInt(odd.length)] : usual);
      } else if (type == ElementType.BOOL) {
        ElementWriter.put(tensor, i, (long) random.nextInt(2));
      } else {
        long usual = random.nextLong(8) - 2;
        ElementWriter.put(tensor, i, isOdd ? far[random.nextInt(far.length)] : usual);
      }
    }
    return tensor;
  }
}
