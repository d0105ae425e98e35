package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.IndexExpression.Constant;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.RunExtents;
import dev.sublet.runtime.micro.run.bind.SplitProof;
import dev.sublet.runtime.micro.run.bind.SplitProof.Split;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which loops of nests can be split into parts that run at the same time. */
final class SplitProofTest {

  /** A block of each form below, of the tensors x: [6, 4], m: [6], y: [6, 4], z: [24]. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          y[i0, i1] = x[i0, i1]                                   | 0 | true
          y[i0, i1] = x[i0, i1]                                   | 1 | true
          z[i0 * 4 + i1] = x[i0, i1]                              | 0 | true
          z[i0 * 4 + i1] = x[i0, i1]                              | 1 | true
          z[i0 * 3 + i1] = x[i0, i1]                              | 0 | false
          z[i0 + i1 * 6] = x[i0, i1]                              | 0 | true
          z[23 - i0 * 4 - i1] = x[i0, i1]                         | 0 | false
          m[i0] += x[i0, i1]                                      | 0 | true
          m[i0] += x[i0, i1]                                      | 1 | false
          m[0] += x[i0, i1]                                       | 0 | false
          y[i0, i1] = y[i0, i1] + 1.0                             | 1 | true
          y[i0, i1] = y[5 - i0, i1] + 1.0                         | 0 | false
          y[i0, i1] = y[5 - i0, i1] + 1.0                         | 1 | true
          y[i0, i1] = x[i0, i1] ; z[i0 * 4 + i1] = y[i0, i1]      | 0 | true
          y[i0, i1] = x[i0, i1] ; z[i0 * 4 + i1] = y[i0, 3 - i1]  | 0 | true
          y[i0, i1] = x[i0, i1] ; z[i0 * 4 + i1] = y[i0, 3 - i1]  | 1 | false
          z[i0 * 4 + i1] = x[i0, i1] ; y[i0, i1] = z[i0 * 4 + 1]  | 0 | true
          z[i0 * 4 + i1] = x[i0, i1] ; y[i0, i1] = z[i0 + i1 * 6] | 0 | false
          z[i0] = x[i0, i1] ; z[i0 + 6] = x[i0, i1]               | 0 | true
          z[i0] = x[i0, i1] ; z[i0 + 5] = x[i0, i1]               | 0 | false
          """)
  void loops(String statements, int loop, boolean isProved) {
    StringBuilder text = new StringBuilder("program p\ninput x: float32[6, 4]\n");
    text.append("output y: float32[6, 4]\noutput m: float32[6]\noutput z: float32[24]\n");
    int number = 0;
    for (String statement : Splitter.on(';').trimResults().split(statements)) {
      text.append("function f").append(number++).append("\n  block\n");
      text.append("    for i0 in 0..6\n      for i1 in 0..4\n        ").append(statement);
      text.append('\n');
    }
    MicroProgram program = MicroProgramText.parse(text.toString());
    Tensor x = Tensor.zeros(ElementType.FLOAT32, ImmutableLongArray.of(6, 4));
    List<Split> splits = new ArrayList<>();
    for (LoopBlock block : blocks(program)) {
      RunExtents extents = RunExtents.of(program, ImmutableMap.of("x", x), ImmutableMap.of());
      splits.add(new Split(new BoundNest(extents, block), loop));
    }
    assertThat(SplitProof.holds(ImmutableList.copyOf(splits))).isEqualTo(isProved);
  }

  /** Parts of proved loops have the results of the whole nests in every order of the parts. */
  @Test
  void proved_hasTheSameResultsInEveryOrder() {
    int proved = 0;
    for (int seed = 0; seed < 8000; seed++) {
      Random random = new Random(seed);
      MicroProgram program = RandomNests.program(random);
      long[] extents = {1 + random.nextInt(4), 1 + random.nextInt(4), 1 + random.nextInt(4)};
      ImmutableMap<String, Tensor> inputs = RandomRuns.inputs(program, random, extents);
      for (int attempt = 0; attempt < 4; attempt++) {
        List<Split> splits = randomSplits(program, inputs, random);
        if (splits.isEmpty() || !SplitProof.holds(ImmutableList.copyOf(splits))) {
          continue;
        }
        proved++;
        MicroProgram parts = inParts(program, splits, random);
        assertWithMessage("seed %s: %s\n%s", seed, splits, MicroProgramText.print(parts))
            .that(RandomRuns.outputs(parts, inputs, 1, 1))
            .isEqualTo(RandomRuns.outputs(program, inputs, 1, 1));
      }
    }
    assertThat(proved).isGreaterThan(100);
  }

  private static List<LoopBlock> blocks(MicroProgram program) {
    List<LoopBlock> blocks = new ArrayList<>();
    program.functions().forEach(function -> blocks.addAll(function.blocks()));
    return blocks;
  }

  /** A loop of each nest; empty if a nest has none that can be split. */
  private static List<Split> randomSplits(
      MicroProgram program, ImmutableMap<String, Tensor> inputs, Random random) {
    RunExtents extents = RunExtents.of(program, inputs, ImmutableMap.of("p", 1L));
    List<Split> splits = new ArrayList<>();
    for (LoopBlock block : blocks(program)) {
      BoundNest nest = new BoundNest(extents, block);
      ImmutableList<Integer> loops = SplitProof.candidates(nest);
      if (loops.isEmpty()) {
        return List.of();
      }
      splits.add(new Split(nest, loops.get(random.nextInt(loops.size()))));
    }
    return splits;
  }

  /** The nests of two to four parts, in a random order that keeps the order within each part. */
  private static MicroProgram inParts(MicroProgram program, List<Split> splits, Random random) {
    List<LoopBlock> blocks = blocks(program);
    int parts = 2 + random.nextInt(3);
    int[] next = new int[parts];
    ImmutableList.Builder<LoopBlock> ordered = ImmutableList.builder();
    for (int left = parts * blocks.size(); left > 0; left--) {
      int part = random.nextInt(parts);
      while (next[part] == blocks.size()) {
        part = (part + 1) % parts;
      }
      int block = next[part]++;
      long iterations =
          requireNonNull(splits.get(block).nest().iterations(splits.get(block).loop()));
      long begin = iterations * part / parts;
      long end = iterations * (part + 1) / parts;
      ordered.add(share(blocks.get(block), splits.get(block).loop(), begin, end));
    }
    return new MicroProgram(
        program.name(),
        program.parameters(),
        program.tensors(),
        program.requirements(),
        ImmutableList.of(new MicroFunction("parts", ordered.build())));
  }

  private static LoopBlock share(LoopBlock block, int depth, long begin, long end) {
    ImmutableList.Builder<Loop> loops = ImmutableList.builder();
    for (int d = 0; d < block.loops().size(); d++) {
      Loop loop = block.loops().get(d);
      loops.add(
          d == depth
              ? new Loop(
                  loop.id(),
                  new Constant(begin),
                  new Constant(end),
                  loop.carried(),
                  loop.statements())
              : loop);
    }
    return new LoopBlock(loops.build());
  }
}
