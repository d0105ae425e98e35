package dev.sublet.runtime.micro.op;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gradients of random graphs are their finite differences, whatever is asked and given. */
final class RandomGradientsTest {

  private static final int GRAPHS = 60;

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6, 12, 20})
  void randomGraph_hasItsFiniteDifferences(int ops) {
    int notZero = 0;
    for (int seed = 0; seed < GRAPHS; seed++) {
      RandomGraphs.RandomGraph graph = RandomGraphs.of(1000 * ops + seed, ops);
      notZero +=
          FiniteDifferences.check(
              graph.graph(), request(graph.graph(), seed), graph.inputs(), ImmutableMap.of());
    }
    assertThat(notZero).isGreaterThan(GRAPHS);
  }

  /** All inputs given, some outputs given or with gradients, some gradients wanted. */
  private static GradientRequest request(MicroGraph graph, int seed) {
    Random random = new Random(seed);
    GradientRequest all = GradientRequest.fromInputs(graph);
    ImmutableSet.Builder<String> given = ImmutableSet.builder();
    ImmutableSet.Builder<String> outputs = ImmutableSet.builder();
    given.addAll(all.given());
    for (String output : all.outputs()) {
      if (random.nextBoolean()) {
        given.add(output);
      }
      if (random.nextInt(4) > 0) {
        outputs.add(output);
      }
    }
    List<String> wanted = all.wanted().asList();
    int from = random.nextInt(wanted.size());
    int to = from + 1 + random.nextInt(wanted.size() - from);
    return new GradientRequest(
        given.build(), outputs.build(), ImmutableSet.copyOf(wanted.subList(from, to)));
  }
}
