package dev.sublet.runtime.machine;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.kernel.LodTensor;

/**
 * What a run has computed.
 *
 * @param outputs what the program fetched, in the order of the fetch list's columns, then the
 *     wanted variables, in their order
 * @param unset the wanted variables that had no value at the end
 * @param persistables the tensors of persistable variables at the end, by name
 * @param operators how many operators ran, control operators and those in bodies included; so are
 *     copies that the plan let be skipped
 * @param bytesCopied how many bytes operators copied that do nothing else, as {@code assign}
 * @param bytesCopiedInLoops how many of these {@code assign} and its like copied in bodies of loops
 */
public record ExecutionResult(
    ImmutableList<Output> outputs,
    ImmutableList<String> unset,
    ImmutableMap<String, LodTensor> persistables,
    long operators,
    long bytesCopied,
    long bytesCopiedInLoops) {

  public ExecutionResult {
    requireNonNull(outputs, "outputs");
    requireNonNull(unset, "unset");
    requireNonNull(persistables, "persistables");
  }

  /**
   * A result.
   *
   * @param name the variable that held it
   * @param tensor its value
   */
  public record Output(String name, LodTensor tensor) {

    public Output {
      requireNonNull(name, "name");
      requireNonNull(tensor, "tensor");
    }
  }
}
