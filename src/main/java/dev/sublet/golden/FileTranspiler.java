package dev.sublet.golden;

import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;

/** A transpiler that makes files: of one input, any number of outputs. */
@FunctionalInterface
public interface FileTranspiler {

  /**
   * Transpiles an input. The expected files must not be touched.
   *
   * @param input the case's input
   * @return the content of each output by its name, relative to the case's folder
   * @throws Exception if the input cannot be transpiled: the test fails with it
   */
  ImmutableMap<String, byte[]> transpile(Path input) throws Exception;
}
