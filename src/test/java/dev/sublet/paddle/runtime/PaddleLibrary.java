package dev.sublet.paddle.runtime;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the Java interface of the engine does not offer, called in the native library by mangled
 * names. The layouts of {@code std::string} and {@code std::vector} are those of libstdc++ on
 * x86-64.
 */
final class PaddleLibrary {

  static final String NAME = "libpaddle_inference.so";

  /** Words of {@code std::string}: pointer, length, and two of the inline buffer. */
  private static final int STRING_WORDS = 4;

  private final NativeLibrary library;

  private PaddleLibrary(NativeLibrary library) {
    this.library = library;
  }

  /** The library that the engine has loaded into this process. */
  static PaddleLibrary loaded() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      if (line.endsWith(NAME)) {
        String file = line.substring(line.indexOf('/'));
        return new PaddleLibrary(NativeLibrary.getInstance(file));
      }
    }
    throw new IllegalStateException(NAME + " is not loaded");
  }

  /** {@code AnalysisConfig::EnableMemoryOptim(bool)}. */
  void enableMemoryOptimization(long config, boolean on) {
    Function function = library.getFunction("_ZN6paddle14AnalysisConfig17EnableMemoryOptimEb");
    function.invokeVoid(new Object[] {new Pointer(config), on ? 1 : 0});
  }

  /**
   * Makes the allocator ask for little memory at a time, so that the resident peak follows the
   * tensors; as it comes, it asks for half a gigabyte at once. Must precede everything else.
   */
  void growMemoryInSmallSteps() {
    String flag = "--initial_cpu_memory_in_mb=1";
    // The callee puts one string in front, hence the space for two. It owns nothing of this, and
    // the few bytes live as long as the process.
    long begin = Native.malloc(2L * STRING_WORDS * Long.BYTES);
    write(flag, new Pointer(begin));
    Pointer vector = new Pointer(Native.malloc(3L * Long.BYTES));
    vector.setLong(0, begin);
    vector.setLong(Long.BYTES, begin + (long) STRING_WORDS * Long.BYTES);
    vector.setLong(2L * Long.BYTES, begin + 2L * STRING_WORDS * Long.BYTES);
    library
        .getFunction(
            "_ZN6paddle9framework10InitGflagsESt6vectorINSt7__cxx1112basic_stringIcSt11char_traits"
                + "IcESaIcEEESaIS7_EE")
        .invokeInt(new Object[] {vector});
  }

  /**
   * {@code AnalysisPredictor::SaveOptimModel(std::string)}: writes the program as the graph passes
   * have left it to the file {@code model} of a folder, and its parameters to {@code params}.
   */
  void saveOptimized(long predictor, String folder) {
    Pointer string = new Pointer(Native.malloc((long) STRING_WORDS * Long.BYTES));
    write(folder, string);
    library
        .getFunction(
            "_ZN6paddle17AnalysisPredictor14SaveOptimModelERKNSt7__cxx1112basic_stringIcSt11"
                + "char_traitsIcESaIcEEE")
        .invokeVoid(new Object[] {new Pointer(predictor), string});
  }

  private static void write(String text, Pointer string) {
    string.setPointer(0, copy(text));
    string.setLong(Long.BYTES, text.length());
    string.setLong(2L * Long.BYTES, text.length());
  }

  private static Pointer copy(String text) {
    byte[] bytes = (text + "\0").getBytes(StandardCharsets.US_ASCII);
    Pointer copy = new Pointer(Native.malloc(bytes.length));
    copy.write(0, bytes, 0, bytes.length);
    return copy;
  }
}
