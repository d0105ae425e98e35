package dev.sublet.runtime.micro.emit;

import com.google.common.collect.ImmutableSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * C identifiers for the names of a program. Each name gets an identifier of its own that has no
 * other meaning in C.
 */
final class EmittedNames {

  /** Keywords, and names that the generated code or its headers use. */
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

  /** The reserved prefix; initially a blank, with which no identifier begins. */
  private String reserved = " ";

  /** Reserves a prefix: no identifier given out from now on begins with it. */
  void reserve(String prefix) {
    reserved = prefix;
  }

  /**
   * Returns the identifier of an entity.
   *
   * @param kind the kind of entity; entities of different kinds may have the same name
   * @param name the entity's name in the program
   * @param prefix the prefix of the identifier
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
   * Whether an identifier has another meaning: keywords and library names, the reserved prefix,
   * loops and carried variables, float variants of functions, types, and identifiers reserved by
   * compilers.
   */
  private boolean isTaken(String identifier) {
    return TAKEN.contains(identifier)
        || identifier.startsWith(reserved)
        || (identifier.endsWith("f")
            && TAKEN.contains(identifier.substring(0, identifier.length() - 1)))
        || identifier.matches("[ic][0-9]+.*|_.*|u?int[0-9].*|.*_t|[A-Z0-9_]+_(MAX|MIN|C)");
  }
}
