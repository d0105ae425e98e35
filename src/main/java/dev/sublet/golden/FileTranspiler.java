package dev.sublet.golden;

import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;

/** A transpiler that makes any number of output files from one input. */
@FunctionalInterface
public interface FileTranspiler {

  /**
   * Transpiles an input. Must not touch the expected files.
   *
   * @param input the case's input
   * @return the content of each output by its file name, relative to the case's folder
   * @throws Exception if the input cannot be transpiled: the test fails with this exception
   */
  ImmutableMap<String, byte[]> transpile(Path input) throws Exception;
}
