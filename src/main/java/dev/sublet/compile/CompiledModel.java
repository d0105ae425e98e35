package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.PlanResult;

/**
 * A model in C.
 *
 * @param files the files by name, in the order in which they are listed
 * @param plan the plan of the arena, which the validator has accepted
 * @param functions the number of C functions with loops
 * @param calls the number of calls of these functions
 * @param weightBytes the bytes of constants
 * @param codeBytes the bytes of the C code, without constants
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record CompiledModel(
    ImmutableMap<String, byte[]> files,
    PlanResult plan,
    int functions,
    int calls,
    long weightBytes,
    long codeBytes) {

  public CompiledModel {
    requireNonNull(files, "files");
    requireNonNull(plan, "plan");
  }
}
