package dev.sublet.operator.spec;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that turns Paddle's listings into on or off for a program version. */
final class InPlaceVersionsTest {

  private static final OperatorCatalog CATALOG = OperatorCatalog.standard();

  /** For any runtime: from the program's version up, or from 1.8 up if it has none. */
  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource({
    // Listed by hand in every snapshot.
    "reshape2, 1004001, off",
    "reshape2, 1005000, on",
    "reshape2, 2005001, on",
    "reshape2, 3001000, on",
    "reshape2, 0, on",
    // By hand until 2.4, generated since: listed without a gap.
    "relu, 1005002, off",
    "relu, 1008000, on",
    "relu, 2005001, on",
    "relu, 9000000, on",
    "relu, 0, on",
    // Listed at 1.8 and 2.0, back as generated code; right between, as it works element by element.
    "abs, 1008000, on",
    "abs, 2000002, on",
    "abs, 2004000, on",
    "abs, 3000000, on",
    "abs, 0, on",
    // A macro of 2.2 and 2.3, then generated code; element by element.
    "floor, 1008000, off",
    "floor, 2000000, on",
    "floor, 2003000, on",
    "floor, 0, off",
    // By hand until 2.4, and nowhere after: a newer runtime may run an old program.
    "instance_norm_grad_grad, 1008000, off",
    "instance_norm_grad_grad, 2003000, off",
    "instance_norm_grad_grad, 2006000, off",
    // Known from generated code alone: cumsum does not work element by element.
    "cumsum, 2003002, off",
    "cumsum, 3000000, off",
    // By definition.
    "elementwise_mul, 1008000, off",
    "elementwise_mul, 2000000, on",
    "elementwise_mul, 3001000, on",
    "elementwise_mul, 0, off",
    // And before 2.0 by an option of the API.
    "batch_norm, 1008000, on",
    "batch_norm, 0, on",
    // Listed, and never run.
    "c_allreduce_sum, 2004000, off",
    "c_allreduce_sum, 3000000, off",
    // Listed, and refuted by runs for every call.
    "scatter_grad, 2000000, off",
  })
  void inPlacePairs_forAnyRuntime(String type, long version, String expected) {
    assertThat(isOn(CATALOG, type, version)).isEqualTo(expected.equals("on"));
  }

  @ParameterizedTest(name = "{0} at {1} on {2}: {3}")
  @CsvSource({
    "relu, 2003002, 2003002, on",
    "relu, 2003002, 1005000, off",
    // At 2.3 the runs themselves speak.
    "cumsum, 0, 2003000, on",
    "elementwise_mul, 0, 2003002, on",
    "instance_norm_grad_grad, 1008000, 2003002, on",
    "instance_norm_grad_grad, 1008000, 2006000, off",
    "elementwise_mul, 2003002, 1008000, off",
  })
  void inPlacePairs_forOneRuntime(String type, long version, long runtime, String expected) {
    OperatorCatalog catalog = CATALOG.with(InPlaceMode.VERIFIED, runtime);
    assertThat(isOn(catalog, type, version)).isEqualTo(expected.equals("on"));
  }

  @ParameterizedTest(name = "{0} at {1} on {2}: {3}")
  @CsvSource({
    // Never run, listed at 2.2 to 2.4 and at HEAD, not at 2.6.
    "c_allreduce_sum, 2004000, 0, off",
    "c_allreduce_sum, 2004000, 2004000, on",
    "c_allreduce_sum, 2006000, 0, off",
    "c_allreduce_sum, 3000000, 0, on",
    "c_allreduce_avg, 2006002, 2006002, off",
    "c_allreduce_avg, 3000000, 0, on",
    "mp_allreduce_sum, 2004000, 0, off",
    "mp_allreduce_sum, 2006000, 0, on",
    // Known from generated code alone.
    "polygamma, 3000000, 0, off",
    // Refuted, whatever the table says.
    "scatter_grad, 2000000, 2000000, off",
  })
  void inPlacePairs_ofTheTable(String type, long version, long runtime, String expected) {
    OperatorCatalog catalog = CATALOG.with(InPlaceMode.TABLE, runtime);
    assertThat(isOn(catalog, type, version)).isEqualTo(expected.equals("on"));
  }

  /** Whether a pair of the operator is on, and has a condition that a call can meet. */
  private static boolean isOn(OperatorCatalog catalog, String type, long version) {
    return catalog.inPlacePairs(catalog.lookup(type), version).stream()
        .anyMatch(pair -> !pair.conditionText().startsWith("never"));
  }

  @Test
  void noPair_withoutInPlace() {
    OperatorCatalog catalog = CATALOG.with(InPlaceMode.NONE, 0);
    for (OperatorSpec spec : catalog.all()) {
      assertThat(catalog.inPlacePairs(spec, 2_003_002)).isEmpty();
    }
  }

  @Test
  void inPlacePairs_beforeEverySnapshot_areOff() {
    for (OperatorSpec spec : CATALOG.all()) {
      if (!spec.isOnnx()) {
        assertThat(CATALOG.inPlacePairs(spec, 1)).isEmpty();
        assertThat(CATALOG.inPlacePairs(spec, -1)).isEmpty();
      }
    }
  }

  @Test
  void everyLabelIsKnown_soThatATypoCannotSwitchAPairOff() {
    ImmutableSet<String> labels =
        ImmutableSet.of(
            "1.5",
            "1.8",
            "2.0",
            "2.2",
            "2.2m",
            "2.3",
            "2.4",
            "2.6",
            "HEAD",
            "yaml",
            "definition",
            "1.8 CUDA");
    for (OperatorSpec spec : CATALOG.all()) {
      for (InPlacePair pair : spec.inPlacePairs()) {
        ImmutableList<String> listed =
            Splitter.on(',').splitToStream(pair.versions()).collect(toImmutableList());
        assertWithMessage(spec.type()).that(labels).containsAtLeastElementsIn(listed);
        assertWithMessage(spec.type()).that(listed).containsNoDuplicates();
      }
    }
  }
}
