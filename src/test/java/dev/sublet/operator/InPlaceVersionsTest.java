package dev.sublet.operator;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that turns Paddle's listings into on or off for a program version. */
final class InPlaceVersionsTest {

  private static final OperatorCatalog CATALOG = OperatorCatalog.standard();

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource({
    // Listed by hand in every snapshot.
    "reshape2, 1004001, off",
    "reshape2, 1005000, on",
    "reshape2, 1007002, on",
    "reshape2, 2005001, on",
    "reshape2, 2006002, on",
    "reshape2, 3001000, on",
    "reshape2, 0, on",
    // By hand until 2.4, generated since: on without a gap.
    "relu, 1005002, off",
    "relu, 1008000, on",
    "relu, 2001000, on",
    "relu, 2004002, on",
    "relu, 2005001, on",
    "relu, 2006000, on",
    "relu, 3000000, on",
    "relu, 9000000, on",
    "relu, 0, on",
    // Generated from 2.4 on already.
    "exp, 2003002, on",
    "exp, 2004000, on",
    "exp, 2006000, on",
    "exp, 0, on",
    // By hand until 2.4, and nowhere after.
    "relu_grad_grad, 2005002, on",
    "relu_grad_grad, 2006000, off",
    "relu_grad_grad, 3000000, off",
    "relu_grad_grad, 0, on",
    // Dropped after 2.0, back as generated code: the gap stays off.
    "abs, 2000002, on",
    "abs, 2001000, on",
    "abs, 2002000, off",
    "abs, 2004000, off",
    "abs, 2006000, off",
    "abs, 3000000, on",
    "abs, 0, off",
    // A macro of 2.2, then generated code.
    "floor, 2000000, off",
    "floor, 2002002, on",
    "floor, 2003000, off",
    "floor, 2006000, off",
    "floor, 3000000, on",
    "floor, 0, off",
    // A macro of 2.2 alone.
    "soft_relu, 2002000, on",
    "soft_relu, 3000000, off",
    // Too young for a program that records no version.
    "tanh_grad, 2002000, on",
    "tanh_grad, 2006000, on",
    "tanh_grad, 0, off",
    // Listed at 2.6 and HEAD only, or at HEAD only, or not at 2.6.
    "mp_allreduce_sum, 2004000, off",
    "mp_allreduce_sum, 2006000, on",
    "c_allreduce_avg, 2006002, off",
    "c_allreduce_avg, 3000000, on",
    "c_allreduce_sum, 2004000, on",
    "c_allreduce_sum, 2006000, off",
    // Known from generated code alone.
    "elementwise_mod, 2006000, off",
    "elementwise_mod, 3000000, off",
    "elementwise_mod, 0, off",
    // Listed for one device only.
    "softmax_grad, 1008000, off",
    "softmax_grad, 2006000, off",
    // Verified by a run, whatever the table says.
    "batch_norm, 1008000, off",
    "batch_norm, 2000000, on",
    "batch_norm, 3001000, on",
    "batch_norm, 0, on",
    "hard_sigmoid, 1008000, off",
    "hard_sigmoid, 2000000, on",
    "hard_sigmoid, 3000000, on",
    "square, 1008000, on",
    "square, 2006000, on",
  })
  void inPlacePairs_ofOneListing(String type, long version, String expected) {
    int pairs = CATALOG.inPlacePairs(CATALOG.lookup(type), version).size();
    assertThat(pairs).isEqualTo(expected.equals("on") ? 1 : 0);
  }

  @Test
  void inPlacePairs_ofTwoListings_areJudgedOnTheirOwn() {
    OperatorSpec spec = CATALOG.lookup("group_norm_grad");
    assertThat(spec.inPlacePairs()).hasSize(2);
    assertThat(CATALOG.inPlacePairs(spec, 2_003_000))
        .containsExactly(new InPlacePair("Y@GRAD", "X@GRAD", "1.5,1.8,2.0,2.2,2.3,2.4"));
    assertThat(CATALOG.inPlacePairs(spec, 3_000_000)).isEmpty();
  }

  @Test
  void inPlacePairs_beforeEverySnapshot_areOff() {
    for (OperatorSpec spec : CATALOG.all()) {
      assertThat(CATALOG.inPlacePairs(spec, 1)).isEmpty();
      assertThat(CATALOG.inPlacePairs(spec, -1)).isEmpty();
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
            "verified",
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
