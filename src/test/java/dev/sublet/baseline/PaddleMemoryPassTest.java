package dev.sublet.baseline;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Which tensors Paddle's pass puts into one buffer. */
final class PaddleMemoryPassTest {

  private static OptionalLong bytes(String... lines) {
    Program program = ProgramText.parse(String.join("\n", lines));
    return PaddleMemoryPass.bytes(program, InferredSizes.of(program));
  }

  @Test
  void tensorsThatLiveApart_shareABuffer() {
    // {x}, {a, c}, {b}, and d, which is fetched, on its own: 32 bytes each.
    assertThat(
            bytes(
                "default fp32[8]",
                "block 0",
                "feed x: fp32[8]",
                "a = relu(x)",
                "b = relu(a)",
                "c = relu(b)",
                "d = relu(c)",
                "fetch(d)"))
        .hasValue(4 * 32);
  }

  @Test
  void inputsAndOutputsOfOneOperator_neverShare() {
    assertThat(
            bytes(
                "default fp32[8]",
                "block 0",
                "feed x: fp32[8]",
                "a = relu(x)",
                "b = relu(a)",
                "fetch(b)"))
        .hasValue(3 * 32);
  }

  @Test
  void aClusterHasTheBytesOfItsLargestMember() {
    // {x}, {big, c}, {b}, d.
    assertThat(
            bytes(
                "default fp32[8]",
                "block 0",
                "feed x: fp32[8]",
                "var big: fp32[80]",
                "big = fused_feedforward(x, x)",
                "b = fused_feedforward(big, big)",
                "c = fused_feedforward(b, b)",
                "d = fused_feedforward(c, c)",
                "fetch(d)"))
        .hasValue(32 + 320 + 32 + 32);
  }

  @Test
  void tensorsOfOperatorsThatThePassDoesNotHandle_stayOnTheirOwn() {
    // a and c could share, but c is an argument of equal: x, a, b, c and d have 32 bytes each.
    assertThat(
            bytes(
                "default fp32[8]",
                "block 0",
                "feed x: fp32[8]",
                "var e: bool[8]",
                "a = relu(x)",
                "b = relu(a)",
                "c = relu(b)",
                "e = equal(c, c)",
                "d = relu(x)",
                "fetch(d)"))
        .hasValue(5 * 32 + 8);
  }

  @Test
  void aProgramWithVeryManyTensorsLiveTogether_isNotComputed() {
    List<String> lines = new ArrayList<>(List.of("default fp32[8]", "block 0", "feed x: fp32[8]"));
    StringBuilder sum = new StringBuilder("s = sum(X:");
    for (int i = 0; i < 3000; i++) {
      lines.add("v" + i + " = relu(x)");
      sum.append(" v").append(i);
    }
    lines.add(sum + ")");
    lines.add("fetch(s)");

    assertThat(bytes(lines.toArray(new String[0]))).isEmpty();
  }

  @Property(tries = 300)
  void clusters_areThoseOfPaddlesLoop(@ForAll long seed) {
    Program program = RandomPrograms.generate(seed, 40);
    Sizes sizes = InferredSizes.of(program);

    assertWithMessage("seed %s", seed)
        .that(PaddleMemoryPass.bytesIfSizesWereKnown(program, sizes))
        .hasValue(PaddlesLoop.bytes(program, sizes));
  }

  /** The pass as Paddle has it: one cluster after the other, each tensor against all members. */
  private static final class PaddlesLoop {

    private static final Set<String> LEFT_ALONE =
        Set.of(
            "while",
            "conditional_block",
            "tensorrt_engine",
            "conditional_block_infer",
            "merge_lod_tensor_infer",
            "merge_lod_tensor",
            "equal",
            "lod_reset",
            "sequence_pool",
            "recurrent",
            "fetch",
            "share_data");

    private record Tensor(String name, long bytes, int first, int last) {}

    private static Set<Integer> arguments(Operation operation) {
      Set<Integer> variables = new HashSet<>();
      for (int i = 0; i < operation.inputCount(); i++) {
        variables.add(operation.input(i));
      }
      for (int i = 0; i < operation.outputCount(); i++) {
        variables.add(operation.output(i));
      }
      return variables;
    }

    static long bytes(Program program, Sizes sizes) {
      List<Tensor> waiting = new ArrayList<>();
      long total = 0;
      for (Variable variable : program.variables()) {
        long bytes = Math.max(0, sizes.bytes(variable.index()));
        if (variable.isPersistable() || variable.tensorType().isEmpty()) {
          continue;
        }
        int first = -1;
        int last = -1;
        boolean isAlone = false;
        boolean isUsedInside = false;
        for (int b = 0; b < program.blocks().size(); b++) {
          for (Operation operation : program.block(b).operations()) {
            if (!arguments(operation).contains(variable.index())) {
              continue;
            }
            isUsedInside |= b > 0;
            if (b == 0) {
              isAlone |= LEFT_ALONE.contains(operation.type());
              boolean feeds = operation.type().equals("feed");
              first = first < 0 ? operation.index() : first;
              first = feeds ? 0 : first;
              last = feeds || last == Integer.MAX_VALUE ? Integer.MAX_VALUE : operation.index();
            }
          }
        }
        if (variable.block() == 0 && last >= 0 && !isAlone) {
          waiting.add(new Tensor(variable.name(), bytes, first, last));
        } else if (last >= 0 || isUsedInside) {
          total += bytes;
        }
      }
      while (!waiting.isEmpty()) {
        Tensor largest = waiting.get(0);
        for (Tensor tensor : waiting) {
          largest = comesFirst(tensor, largest) ? tensor : largest;
        }
        total += largest.bytes();
        waiting = without(waiting, largest);
      }
      return total;
    }

    /** Takes the cluster that the largest tensor opens away. */
    private static List<Tensor> without(List<Tensor> waiting, Tensor largest) {
      List<Tensor> cluster = new ArrayList<>(List.of(largest));
      List<Tensor> sorted = new ArrayList<>(waiting);
      sorted.sort((a, b) -> a.equals(b) ? 0 : comesFirst(a, b) ? -1 : 1);
      for (Tensor tensor : sorted) {
        boolean isApart = true;
        for (Tensor member : cluster) {
          isApart &= tensor.last() < member.first() || member.last() < tensor.first();
        }
        if (isApart) {
          cluster.add(tensor);
        }
      }
      List<Tensor> rest = new ArrayList<>(waiting);
      rest.removeAll(cluster);
      return ImmutableList.copyOf(rest);
    }

    private static boolean comesFirst(Tensor a, Tensor b) {
      if (a.bytes() != b.bytes()) {
        return a.bytes() > b.bytes();
      }
      return a.first() != b.first() ? a.first() < b.first() : a.name().compareTo(b.name()) < 0;
    }
  }
}
