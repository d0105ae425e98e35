package dev.sublet.operator.paddle;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.golden.GoldenCase;
import dev.sublet.golden.GoldenPrograms;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.infer.AbstractShape;
import dev.sublet.operator.infer.SymbolicExtent;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.shape.LodCarriers;
import dev.sublet.shape.ShapeInference;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.shape.Sizes;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Shape rules, as programs in {@code testdata/shape/*.program} with the shapes that follow in a
 * file beside each. Comments of the form {@code # --shape x=2,3}, {@code # --lod x=0,4,9} and
 * {@code # --batch 2} are options. With {@code -Dsublet.updateGoldens=true} the expected files are
 * written.
 */
final class ShapeGoldenTest {

  private static final Path FOLDER = Path.of("testdata/shape");

  @TestFactory
  Stream<DynamicTest> cases() {
    ImmutableList<GoldenCase> programs = GoldenPrograms.in(FOLDER).files(".program");
    return programs.stream()
        .map(golden -> dynamicTest(golden.input().getFileName().toString(), () -> check(golden)));
  }

  private static void check(GoldenCase golden) throws IOException {
    String text = Files.readString(golden.input());
    String shapes = infer(text);
    golden.expect().text(golden.name() + ".shapes", shapes).check();
  }

  private static String infer(String text) {
    Program program = ProgramText.parse(text);
    Sizes sizes;
    try {
      sizes =
          ShapeInference.infer(
              program,
              OperatorCatalog.standard(),
              LodCarriers.find(program, OperatorCatalog.standard()),
              options(text));
    } catch (ProgramException e) {
      return e.getMessage() + "\n";
    }
    StringBuilder lines = new StringBuilder();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        int output = 0;
        for (Slot slot : operation.outputSlots()) {
          for (int i = 0; i < slot.size(); i++, output++) {
            if (slot.variable(i) != Program.NO_VARIABLE && !isIo(operation)) {
              lines
                  .append(operation.type())
                  .append('.')
                  .append(slot.name())
                  .append(' ')
                  .append(slot.argument(i))
                  .append(' ')
                  .append(describe(sizes.written(operation, output)))
                  .append('\n');
            }
          }
        }
      }
    }
    return lines.toString();
  }

  private static boolean isIo(Operation operation) {
    return operation.type().equals("feed") || operation.type().equals("fetch");
  }

  private static String describe(@Nullable AbstractShape tensor) {
    if (tensor == null) {
      return "never run";
    }
    if (!tensor.hasRank()) {
      String elements = tensor.hasCount() ? "; elements: " + tensor.count() : "";
      return "unknown: " + tensor.reason() + elements;
    }
    StringBuilder text = new StringBuilder(tensor.toString());
    for (SymbolicExtent extent : tensor.dims()) {
      text.append(extent.isKnown() ? "" : " (" + extent.cause() + ")");
    }
    ImmutableList<ImmutableLongArray> lod = tensor.lod();
    text.append(lod == null ? " lod ?" : lod.isEmpty() ? "" : " lod " + lod);
    return text + (tensor.hasElements() ? " = " + tensor.elements() : "");
  }

  private static ShapeOptions options(String text) {
    long batch = 1;
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    ImmutableMap.Builder<String, ImmutableList<ImmutableLongArray>> lod = ImmutableMap.builder();
    for (String line : text.lines().collect(Collectors.toList())) {
      List<String> words = Splitter.onPattern("[ =]+").splitToList(line.trim());
      if (words.size() > 2 && words.get(0).equals("#")) {
        switch (words.get(1)) {
          case "--batch" -> batch = Long.parseLong(words.get(2));
          case "--shape" -> shapes.put(words.get(2), numbers(words.get(3)));
          case "--lod" -> lod.put(words.get(2), ImmutableList.of(numbers(words.get(3))));
          default -> {}
        }
      }
    }
    return new ShapeOptions(
        batch, shapes.buildOrThrow(), Objects.requireNonNull(lod.buildOrThrow()));
  }

  private static ImmutableLongArray numbers(String text) {
    ImmutableLongArray.Builder numbers = ImmutableLongArray.builder();
    for (String number : Splitter.on(',').split(text)) {
      numbers.add(Long.parseLong(number));
    }
    return numbers.build();
  }
}
