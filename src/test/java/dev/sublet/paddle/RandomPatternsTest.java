package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.Verifier;
import dev.sublet.program.Program;
import dev.sublet.testing.LongForm;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * Random models of the operators that graph passes look for. The sharing and the validator know the
 * passes each by code of its own: what the one makes, the other accepts.
 */
final class RandomPatternsTest {

  @Property(tries = 200)
  @AddLifecycleHook(LongForm.class)
  void whatIsSharedSafely_isAccepted(@ForAll long seed) {
    Program original = RandomPatterns.of(seed).program();
    for (Map.Entry<String, Program> form : FusionCampaign.forms(original).entrySet()) {
      if (form.getKey().startsWith("safe")) {
        assertThat(Verifier.verifyFusion(original, form.getValue()).violations()).isEmpty();
      }
    }
  }
}
