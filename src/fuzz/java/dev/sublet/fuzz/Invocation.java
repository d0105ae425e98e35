package dev.sublet.fuzz;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A command and the files that it reads; {@code ${case}} in options is their folder.
 *
 * @param reader what is tried, such as {@code onnx text}
 * @param verb the command's verb
 * @param input the name of the first file on the command line; empty if there is none
 * @param files by name
 * @param options the other arguments
 */
record Invocation(
    String reader,
    String verb,
    String input,
    ImmutableMap<String, byte[]> files,
    ImmutableList<String> options) {

  /** The file that is standard input. */
  static final String STDIN = "stdin";

  Invocation {
    requireNonNull(reader, "reader");
    requireNonNull(verb, "verb");
    requireNonNull(input, "input");
    requireNonNull(files, "files");
    requireNonNull(options, "options");
  }

  /** A file's content. */
  byte[] file(String name) {
    return requireNonNull(files.get(name), name);
  }

  /** The same with another file. */
  Invocation withFile(String name, byte[] bytes) {
    Map<String, byte[]> others = new LinkedHashMap<>(files);
    others.put(name, bytes);
    return new Invocation(reader, verb, input, ImmutableMap.copyOf(others), options);
  }

  /** The same with other options. */
  Invocation withOptions(List<String> others) {
    return new Invocation(reader, verb, input, files, ImmutableList.copyOf(others));
  }

  /** The same with further options. */
  Invocation plus(String... further) {
    return withOptions(
        ImmutableList.<String>builder().addAll(options).addAll(List.of(further)).build());
  }

  /** What the files hold in all. */
  long bytes() {
    return files.values().stream().mapToLong(bytes -> bytes.length).sum();
  }

  /** Writes the files into an empty folder. */
  void write(Path folder) throws IOException {
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }

  /** The arguments, the verb first. */
  List<String> arguments(Path folder) {
    List<String> arguments = new ArrayList<>(List.of(verb));
    if (!input.isEmpty()) {
      arguments.add(folder.resolve(input).toString());
    }
    options.forEach(option -> arguments.add(option.replace("${case}", folder.toString())));
    return arguments;
  }
}
