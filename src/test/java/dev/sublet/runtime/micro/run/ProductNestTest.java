package dev.sublet.runtime.micro.run;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.CoalesceLoops;
import dev.sublet.runtime.micro.run.bind.NestSurvey;
import dev.sublet.runtime.micro.run.bind.ProductForm;
import dev.sublet.runtime.micro.run.bind.RunExtents;
import dev.sublet.runtime.micro.run.bind.Tuning;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import dev.sublet.runtime.micro.text.MicroProgramText;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.LongForm;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.junit.jupiter.api.Test;

/** Sums of products by panels give the bits of the plain loops, on however many threads. */
final class ProductNestTest {

  @Property(tries = 250)
  @AddLifecycleHook(LongForm.class)
  void sumsOfProducts_haveTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    check(seed, Tuning.standard());
  }

  @Property(tries = 250)
  @AddLifecycleHook(LongForm.class)
  void sharedWork_hasTheBitsOfTheTreeInterpreter(@ForAll long seed) {
    check(seed, new Tuning(VectorizationPlan::of, /* threads= */ 3, /* shareable= */ 0));
  }

  private static void check(long seed, Tuning tuning) {
    RandomProducts random = new RandomProducts(seed);
    MicroProgram program = random.program();
    CompiledMicro compiled = CompiledMicro.compile(program, tuning);
    for (int run = 0; run < 2; run++) {
      assertWithMessage("seed %s:\n%s", seed, random)
          .that(compiled.run(random.inputs(), ImmutableMap.of()))
          .isEqualTo(new TreeInterpreter(program, random.inputs(), ImmutableMap.of()).run());
    }
  }

  @Test
  void mostRandomProducts_haveTheForm() {
    int found = 0;
    for (int seed = 0; seed < 200; seed++) {
      RandomProducts random = new RandomProducts(seed);
      found += form(random.program(), random.inputs()).isPresent() ? 1 : 0;
    }
    assertThat(found).isAtLeast(100);
  }

  @Test
  void convolution_hasPlacesAsLanesAndFiltersAsRows() {
    ProductForm form = convolution("x[i0, i4, i2 + i5 - 1, i3 + i6 - 1] * w[i1, i4, i5, i6]").get();
    assertThat(form.panel().access().tensor()).isEqualTo("x");
    assertThat(form.lanes().count()).isEqualTo(2 * 14 * 14);
    assertThat(form.rows().count()).isEqualTo(6);
    assertThat(form.points().count()).isEqualTo(8 * 3 * 3);
    assertThat(form.batches().count()).isEqualTo(1);
  }

  @Test
  void convolutionByChannel_hasChannelsAsBatches() {
    ProductForm form = convolution("x[i0, i1, i2 + i5 - 1, i3 + i6 - 1] * w[i1, 0, i5, i6]").get();
    assertThat(form.batches().count()).isEqualTo(6);
    assertThat(form.rows().count()).isEqualTo(1);
  }

  @Test
  void factorsThatNoLaneMoves_haveAnotherForm() {
    assertThat(convolution("x[i0, i4, i2, i3] * x[i0, i4, i2, i3]").isPresent()).isFalse();
  }

  private static Optional<ProductForm> convolution(String product) {
    MicroProgram program =
        MicroProgramText.parse(
            """
            program convolution
            input x: float32[2, 8, 14, 14]
            input w: float32[6, 8, 3, 3]
            output y: float32[2, 6, 14, 14]
            function y
              block
                for i0 in 0..2
                  for i1 in 0..6
                    for i2 in 0..14
                      for i3 in 0..14
                        carry c0 = sum float32
                        for i4 in 0..8
                          for i5 in 0..3
                            for i6 in 0..3
                              c0 << PRODUCT
                        y[i0, i1, i2, i3] = c0
            """
                .replace("PRODUCT", product));
    return form(
        program,
        ImmutableMap.of(
            "x",
            Tensor.zeros(ElementType.FLOAT32, ImmutableLongArray.of(2, 8, 14, 14)),
            "w",
            Tensor.zeros(ElementType.FLOAT32, ImmutableLongArray.of(6, 8, 3, 3))));
  }

  /** The form of a program's only nest. */
  private static Optional<ProductForm> form(
      MicroProgram program, ImmutableMap<String, Tensor> inputs) {
    RunExtents extents = RunExtents.of(program, inputs, ImmutableMap.of());
    BoundNest nest = new BoundNest(extents, program.functions().get(0).blocks().get(0));
    CoalesceLoops.in(nest);
    return Optional.ofNullable(ProductForm.find(nest, NestSurvey.of(nest)));
  }
}
