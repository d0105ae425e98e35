package dev.sublet.runtime.micro.emit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.common.io.Resources;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Functions of the C library in C of our own, with the bits of {@link java.lang.StrictMath} on
 * every machine. The sources are resources of this package, {@code exp.c} and so on, in which
 * {@code @} stands for the prefix of all names.
 *
 * <p>Source: fdlibm 5.3 (Sun Microsystems, 1993), which StrictMath prescribes; Boost's erf.
 */
enum StrictFunction {
  /** The bits of numbers. */
  WORDS,
  EXP(WORDS),
  EXPM1(WORDS),
  LOG(WORDS),
  LOG1P(WORDS),
  POW(WORDS),
  TANH(WORDS, EXPM1),
  SINH(WORDS, EXP, EXPM1),
  COSH(WORDS, EXP, EXPM1),
  SIGMOID(WORDS, EXP),
  ERF(WORDS, EXP),
  ATAN(WORDS),
  ASIN(WORDS),
  ACOS(WORDS),
  /** The remainder of a division by π/2. */
  REDUCE(WORDS),
  /** Sine and cosine of small numbers. */
  WAVES(WORDS),
  SIN(WORDS, REDUCE, WAVES),
  COS(WORDS, REDUCE, WAVES),
  TAN(WORDS, REDUCE);

  private static final Pattern NAME = Pattern.compile("@\\w+(?=\\()");

  private final ImmutableList<StrictFunction> used;

  StrictFunction(StrictFunction... used) {
    this.used = ImmutableList.copyOf(used);
  }

  /** Returns the function of an operator; empty for an operator that C computes exactly. */
  static Optional<StrictFunction> of(UnaryOperator operator) {
    return switch (operator) {
      case EXP -> Optional.of(EXP);
      case EXPM1 -> Optional.of(EXPM1);
      case LOG -> Optional.of(LOG);
      case LOG1P -> Optional.of(LOG1P);
      case TANH -> Optional.of(TANH);
      case SINH -> Optional.of(SINH);
      case COSH -> Optional.of(COSH);
      case SIGMOID -> Optional.of(SIGMOID);
      case ERF -> Optional.of(ERF);
      case ATAN -> Optional.of(ATAN);
      case ASIN -> Optional.of(ASIN);
      case ACOS -> Optional.of(ACOS);
      case SIN -> Optional.of(SIN);
      case COS -> Optional.of(COS);
      case TAN -> Optional.of(TAN);
      case NEGATE, ABSOLUTE, SIGN, NOT, SQRT, RSQRT, RECIPROCAL, FLOOR, CEIL, ROUND ->
          Optional.empty();
    };
  }

  /** Returns the name of the C function without the prefix. */
  String functionName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Adds the function and the functions that it calls. */
  void addTo(EnumSet<StrictFunction> functions) {
    functions.add(this);
    functions.addAll(used);
  }

  /**
   * Returns the definitions of functions in C. Of {@link #WORDS}, only those are included that
   * others call, for compilers warn about functions that are not used.
   */
  static String definitions(EnumSet<StrictFunction> functions, String prefix) {
    StringBuilder own = new StringBuilder();
    for (StrictFunction function : functions) {
      own.append(function == WORDS ? "" : function.source() + "\n");
    }
    List<String> kept = new ArrayList<>();
    for (String piece : Lists.reverse(Splitter.on("\n\n").splitToList(WORDS.source()))) {
      Matcher name = NAME.matcher(piece);
      if (functions.contains(WORDS)
          && (!name.find() || calls(name.group(), own + String.join("", kept)))) {
        kept.add(piece.strip() + "\n\n");
      }
    }
    return (String.join("", Lists.reverse(kept)) + own).replace("@", prefix);
  }

  private static boolean calls(String name, String source) {
    return source.contains(name + "(");
  }

  private String source() {
    try {
      return Resources.toString(
          Resources.getResource(StrictFunction.class, functionName() + ".c"), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
