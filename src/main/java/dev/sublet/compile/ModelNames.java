package dev.sublet.compile;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.codec.plan.CNames;
import dev.sublet.compile.trace.TracedProgram;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The identifiers of the inputs and outputs of a model: of members in lower case, of macros in
 * upper case. A member that would be a keyword of C or C++, or begin with a digit, gets an
 * underscore.
 *
 * <pre>
 *   x   fc_0.tmp_1   int   0      x   fc_0_tmp_1   int_   _0 → v_0
 * </pre>
 *
 * @param inputs the identifier of each input, in upper case
 * @param outputs the identifier of each output, in upper case
 */
record ModelNames(ImmutableList<String> inputs, ImmutableList<String> outputs) {

  private static final ImmutableSet<String> KEYWORDS =
      ImmutableSet.copyOf(
          ("alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl"
                  + " concept const constexpr const_cast continue decltype default delete do double"
                  + " dynamic_cast else enum explicit export extern false float for friend goto if"
                  + " inline int linux long mutable namespace new noexcept not not_eq null nullptr"
                  + " operator or or_eq private protected public register reinterpret_cast requires"
                  + " restrict return short signed sizeof static static_assert static_cast struct"
                  + " switch template this thread_local throw true try typedef typeid typename union"
                  + " unix unsigned using virtual void volatile wchar_t while xor xor_eq weights")
              .split(" "));

  /** Returns the identifiers of the inputs and outputs of a trace. */
  static ModelNames of(TracedProgram trace) {
    List<String> inputs = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    trace.inputs().forEach(input -> inputs.add(input.name()));
    trace.outputs().forEach(output -> outputs.add(output.name()));
    return new ModelNames(unique(inputs), unique(outputs));
  }

  /** Returns identifiers whose members differ, too: {@code 0} and {@code v_0} have one member. */
  private static ImmutableList<String> unique(List<String> variables) {
    CNames names = new CNames();
    Set<String> members = new HashSet<>();
    ImmutableList.Builder<String> unique = ImmutableList.builder();
    for (String variable : variables) {
      String name = names.unique(variable);
      while (!members.add(member(name))) {
        name = names.unique(variable);
      }
      unique.add(name);
    }
    return unique.build();
  }

  /** Returns the name of a member of a struct. */
  static String member(String upper) {
    String lower = Ascii.toLowerCase(upper);
    if (KEYWORDS.contains(lower)) {
      return lower + "_";
    }
    return lower.charAt(0) <= '9' ? "v_" + lower : lower;
  }
}
