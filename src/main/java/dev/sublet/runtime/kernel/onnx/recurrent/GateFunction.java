package dev.sublet.runtime.kernel.onnx.recurrent;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Attribute;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A function of a gate in a recurrent operator.
 *
 * @param name ONNX's name of the function in lower case
 * @param alpha the first parameter
 * @param beta the second parameter
 */
public record GateFunction(String name, double alpha, double beta) {

  /**
   * Returns the functions that the attributes {@code activations}, {@code activation_alpha} and
   * {@code activation_beta} name. Only functions with a parameter take one from the lists.
   *
   * @param absent the names if there is no attribute
   * @param directions how often the functions are listed; repeated if they are not listed
   */
  public static ImmutableList<GateFunction> of(
      OperatorCall call, List<String> absent, int directions) {
    Optional<Attribute> attribute = call.operation().attribute("activations");
    List<String> given = attribute.isPresent() ? attribute.get().strings() : List.of();
    int count = absent.size();
    if (!given.isEmpty() && given.size() != count * directions) {
      throw new OperatorException(given.size() + " activations for " + count * directions);
    }
    ImmutableList.Builder<GateFunction> functions = ImmutableList.builder();
    int alphas = 0;
    int betas = 0;
    for (int i = 0; i < count * directions; i++) {
      String name = given.isEmpty() ? absent.get(i % count) : given.get(i);
      String lower = name.toLowerCase(Locale.ROOT);
      double alpha = 0;
      double beta = 0;
      if (takesAlpha(lower)) {
        alpha = element(call.reals("activation_alpha"), alphas++, defaultAlpha(lower));
      }
      if (takesBeta(lower)) {
        beta = element(call.reals("activation_beta"), betas++, defaultBeta(lower));
      }
      functions.add(new GateFunction(lower, alpha, beta));
    }
    return functions.build();
  }

  private static double element(List<Double> numbers, int index, double absent) {
    return index < numbers.size() ? numbers.get(index) : absent;
  }

  private static boolean takesAlpha(String name) {
    return switch (name) {
      case "affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid", "elu" -> true;
      default -> false;
    };
  }

  private static boolean takesBeta(String name) {
    return switch (name) {
      case "affine", "scaledtanh", "hardsigmoid" -> true;
      default -> false;
    };
  }

  private static double defaultAlpha(String name) {
    return switch (name) {
      case "leakyrelu" -> 0.01;
      case "hardsigmoid" -> 0.2;
      default -> 1;
    };
  }

  private static double defaultBeta(String name) {
    return switch (name) {
      case "hardsigmoid" -> 0.5;
      case "scaledtanh" -> 1;
      default -> 0;
    };
  }

  /** Applies the function. */
  public double of(double x) {
    return switch (name) {
      case "sigmoid" -> 1 / (1 + StrictMath.exp(-x));
      case "tanh" -> StrictMath.tanh(x);
      case "relu" -> Math.max(x, 0);
      case "affine" -> alpha * x + beta;
      case "leakyrelu" -> x >= 0 ? x : alpha * x;
      case "thresholdedrelu" -> x > alpha ? x : 0;
      case "scaledtanh" -> alpha * StrictMath.tanh(beta * x);
      case "hardsigmoid" -> Math.min(Math.max(alpha * x + beta, 0), 1);
      case "elu" -> x >= 0 ? x : alpha * StrictMath.expm1(x);
      case "softsign" -> x / (1 + Math.abs(x));
      case "softplus" -> Math.max(x, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(x)));
      default -> throw new OperatorException("the activation " + name);
    };
  }
}
