package dev.sublet.runtime.micro.run;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.NestSurvey;
import dev.sublet.runtime.micro.run.bind.Tuning;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.LongForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * Strips of lanes give the bits of the plain loops, whichever loop the lanes are, shared or not.
 */
final class CompiledMicroTest {

  @Property(tries = 2000)
  @AddLifecycleHook(LongForm.class)
  void anyNests_haveTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    check(seed, Tuning.standard());
  }

  @Property(tries = 2000)
  @AddLifecycleHook(LongForm.class)
  void sharedWork_hasTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    check(seed, new Tuning(VectorizationPlan::of, /* threads= */ 3, /* shareable= */ 0));
  }

  @Property(tries = 2000)
  @AddLifecycleHook(LongForm.class)
  void outermostLanes_haveTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    check(seed, single(CompiledMicroTest::outermost));
  }

  @Property(tries = 2000)
  @AddLifecycleHook(LongForm.class)
  void anyLanes_haveTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    check(seed, single(any(new Random(seed))));
  }

  /** Lanes of some choice on one thread. */
  private static Tuning single(VectorizationPlan.Chooser chooser) {
    return new Tuning(chooser, /* threads= */ 1, /* shareable= */ 0);
  }

  /** Any loop that may be the lane loop. */
  static VectorizationPlan.Chooser any(Random random) {
    return (nest, survey) -> {
      List<VectorizationPlan> allowed = new ArrayList<>();
      for (int depth = 0; depth < nest.loops(); depth++) {
        if (VectorizationPlan.isAllowed(nest, survey, depth)) {
          allowed.add(new VectorizationPlan(depth, VectorizationPlan.LANES));
        }
      }
      allowed.add(new VectorizationPlan(nest.loops() - 1, 1));
      return allowed.get(random.nextInt(allowed.size()));
    };
  }

  /** The outermost loop that may be the lane loop: the one that changes the order the most. */
  static VectorizationPlan outermost(BoundNest nest, NestSurvey survey) {
    for (int depth = 0; depth < nest.loops(); depth++) {
      if (VectorizationPlan.isAllowed(nest, survey, depth)) {
        return new VectorizationPlan(depth, VectorizationPlan.LANES);
      }
    }
    return new VectorizationPlan(nest.loops() - 1, 1);
  }

  private static void check(long seed, Tuning tuning) {
    RandomNests random = new RandomNests(seed);
    MicroProgram program = random.program();
    CompiledMicro compiled = CompiledMicro.compile(program, tuning);
    for (int run = 0; run < 2; run++) {
      ImmutableMap<String, Tensor> inputs = random.inputs();
      ImmutableMap<String, Number> parameters = random.parameters();
      ImmutableMap<String, Tensor> expected =
          new TreeInterpreter(program, inputs, parameters).run();
      assertWithMessage("seed %s:\n%s", seed, MicroProgramText.print(program))
          .that(compiled.run(inputs, parameters))
          .isEqualTo(expected);
    }
  }
}
