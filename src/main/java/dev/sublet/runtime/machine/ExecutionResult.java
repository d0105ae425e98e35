package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.kernel.LodTensor;

/**
 * The result of a run.
 *
 * @param outputs the fetched values in the order of their columns in the fetch list, then the
 *     wanted variables in the order of the request
 * @param unset the wanted variables that had no value at the end
 * @param persistables the tensors of persistable variables at the end, by name
 * @param operators the number of operators that ran, including control operators, operators in
 *     bodies, and copies that the plan allowed to skip
 * @param bytesCopied the number of bytes copied by pure copy operators such as {@code assign}
 * @param bytesCopiedInLoops the part of these bytes that {@code assign} and equivalent operators
 *     copied in bodies of loops
 */
public record ExecutionResult(
    ImmutableList<Output> outputs,
    ImmutableList<String> unset,
    ImmutableMap<String, LodTensor> persistables,
    long operators,
    long bytesCopied,
    long bytesCopiedInLoops) {

  /**
   * One value that the run returns.
   *
   * @param name the variable's name
   * @param tensor its value
   */
  public record Output(String name, LodTensor tensor) {}
}
