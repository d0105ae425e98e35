package dev.sublet.micro.run;

import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import dev.sublet.micro.ir.MicroProgram;
import dev.sublet.tensor.Tensor;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Strips of lanes give the bits of the plain loops. */
final class CompiledMicroTest {

  @Property(tries = 3000)
  void anyNests_haveTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    RandomNests random = new RandomNests(seed);
    MicroProgram program = random.program();
    CompiledMicro compiled = CompiledMicro.compile(program);
    for (int run = 0; run < 2; run++) {
      ImmutableMap<String, Tensor> inputs = random.inputs();
      ImmutableMap<String, Number> parameters = random.parameters();
      ImmutableMap<String, Tensor> expected =
          new TreeInterpreter(program, inputs, parameters).run();
      assertWithMessage("seed %s: %s", seed, program)
          .that(compiled.run(inputs, parameters))
          .isEqualTo(expected);
    }
  }
}
