package dev.sublet.paddle;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Level;
import dev.sublet.sharing.SharingOptions.Policy;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs random models under Paddle's graph passes, and prints which rewritten forms do not give the
 * bits of the fused original. Arguments: the first seed and the one after the last. Two seconds per
 * model; see CONTRIBUTING.
 */
public final class FusionCampaign {

  private int skipped;
  private int compared;
  private int wrong;
  private int rightlyRejected;
  private int wronglyAccepted;

  private FusionCampaign() {}

  /** Prints a line per finding, and the counts. */
  public static void main(String[] args) {
    FusionCampaign campaign = new FusionCampaign();
    for (long seed = Long.parseLong(args[0]); seed < Long.parseLong(args[1]); seed++) {
      campaign.judge(RandomPatterns.of(seed));
    }
    System.out.printf(
        "models that Paddle itself does not run right: %d%n"
            + "forms compared: %d, of which wrong: %d%n"
            + "forms without regard to passes: wrong and rejected %d, wrong and accepted %d%n",
        campaign.skipped,
        campaign.compared,
        campaign.wrong,
        campaign.rightlyRejected,
        campaign.wronglyAccepted);
  }

  private void judge(Model model) {
    ImmutableMap<String, Program> forms = forms(model.program());
    List<Program> programs = new ArrayList<>(List.of(model.program()));
    programs.addAll(forms.values());
    ImmutableList<PaddleBatch.Result> results = PaddleBatch.run(model, programs, Mode.FUSED);
    PaddleBatch.Result plain = PaddleBatch.run(model, List.of(model.program()), Mode.PLAIN).get(0);
    if (!areClose(plain, results.get(0))) {
      skipped++;
      return;
    }
    int i = 1;
    for (String form : forms.keySet()) {
      boolean isRight = isEqual(results.get(i), results.get(0));
      boolean isAccepted = Verifier.verifyFusion(model.program(), programs.get(i)).isValid();
      if (form.startsWith("safe")) {
        compared++;
        wrong += isRight ? 0 : 1;
      } else if (!isRight) {
        rightlyRejected += isAccepted ? 0 : 1;
        wronglyAccepted += isAccepted ? 1 : 0;
      }
      if (!isRight && (isAccepted || form.startsWith("safe"))) {
        System.out.println(model + ", " + form + ": wrong " + results.get(i).failure());
      }
      i++;
    }
  }

  /** The rewritten forms of a program, by what makes them. */
  static ImmutableMap<String, Program> forms(Program program) {
    ImmutableMap.Builder<String, Program> forms = ImmutableMap.builder();
    for (boolean inPlace : new boolean[] {true, false}) {
      for (Level level : Level.values()) {
        for (Policy policy : new Policy[] {Policy.POOL, Policy.GLOBAL}) {
          SharingOptions safe = new SharingOptions(policy, level, inPlace, FusionMode.SAFE);
          forms.put("safe " + safe, form(program, safe));
        }
      }
      SharingOptions off = new SharingOptions(Policy.GLOBAL, Level.FIT, inPlace, FusionMode.OFF);
      forms.put("off " + off, form(program, off));
    }
    return forms.buildOrThrow();
  }

  private static Program form(Program program, SharingOptions options) {
    return Transpiler.transpile(program, TranspileOptions.defaults().withSharing(options))
        .program();
  }

  private static boolean isEqual(PaddleBatch.Result actual, PaddleBatch.Result expected) {
    return actual.differencesFrom(expected).isEmpty();
  }

  /**
   * Whether the passes keep an original right. They do not if a scale follows a product that is
   * read elsewhere, too.
   */
  private static boolean areClose(PaddleBatch.Result plain, PaddleBatch.Result fused) {
    if (!fused.failure().isEmpty() || !fused.outputs().keySet().equals(plain.outputs().keySet())) {
      return false;
    }
    for (String name : plain.outputs().keySet()) {
      FloatBuffer left = floats(requireNonNull(plain.outputs().get(name)));
      FloatBuffer right = floats(requireNonNull(fused.outputs().get(name)));
      for (int i = 0; i < left.remaining(); i++) {
        if (!(Math.abs(left.get(i) - right.get(i)) <= 1e-3 * (1 + Math.abs(left.get(i))))) {
          return false;
        }
      }
    }
    return true;
  }

  private static FloatBuffer floats(TensorData data) {
    return data.bytes().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
  }
}
