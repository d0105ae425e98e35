package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** C identifiers for the names of a program: each its own, none with another meaning in C. */
final class EmittedNames {

  /** Keywords, and names that the emitted code or its headers use. */
  private static final ImmutableSet<String> TAKEN =
      ImmutableSet.copyOf(
          ("auto break case char const continue default do double else enum extern float for goto if"
                  + " inline int long register restrict return short signed sizeof static struct"
                  + " switch typedef union unsigned void volatile while asm bool true false main"
                  + " size_t NULL INFINITY NAN workspace bytes exp log log1p expm1 sqrt floor ceil"
                  + " round tanh erf sin cos tan asin acos atan sinh cosh fabs fmod pow isnan isinf"
                  + " signbit abs gamma lgamma tgamma y0 y1 yn j0 j1 jn div index scalb logb drem"
                  + " significand trunc rint nan remainder hypot ldexp frexp modf cbrt fma fmax fmin"
                  + " fdim log2 log10 exp2 exp10 pow10 signgam finite copysign scalbn ilogb")
              .split(" "));

  private final Set<String> used = new HashSet<>();
  private final Map<String, String> names = new LinkedHashMap<>();

  /** No identifier begins with a blank. */
  private String reserved = " ";

  /** Keeps everything that begins so from being the identifier of something. */
  void reserve(String prefix) {
    reserved = prefix;
  }

  /**
   * The identifier of something.
   *
   * @param kind what it is; things of different kinds may have one name
   * @param name its name in the program
   * @param prefix in front of the identifier
   */
  String of(String kind, String name, String prefix) {
    String key = kind + ' ' + name;
    String known = names.get(key);
    if (known != null) {
      return known;
    }
    String base = identifier(prefix + name);
    if (isTaken(base)) {
      base = "x_" + base + "_";
    }
    String unique = base;
    for (int k = 2; !used.add(unique); k++) {
      unique = base + "_" + k;
    }
    names.put(key, unique);
    return unique;
  }

  private static String identifier(String name) {
    StringBuilder identifier = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      boolean digit = c >= '0' && c <= '9';
      if (i == 0 && !letter) {
        identifier.append('x');
      }
      identifier.append(letter || digit ? c : '_');
    }
    return identifier.isEmpty() ? "x" : identifier.toString();
  }

  /**
   * Also what is reserved, loops and carried variables, float functions, types and what compilers
   * keep.
   */
  private boolean isTaken(String identifier) {
    return TAKEN.contains(identifier)
        || identifier.startsWith(reserved)
        || (identifier.endsWith("f")
            && TAKEN.contains(identifier.substring(0, identifier.length() - 1)))
        || identifier.matches("[ic][0-9]+.*|_.*|u?int[0-9].*|.*_t|[A-Z0-9_]+_(MAX|MIN|C)");
  }
}
