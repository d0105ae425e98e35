package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Limits on the main sources that are counted in their text: lines of methods, final fields. */
final class SourceMeterTest {

  /** The most lines of a method's body, braces included. */
  private static final long MOST_LINES = 80;

  /**
   * The least share of final fields, of a thousand. A ratchet: raise the number when there are
   * more. Fields with an annotation of picocli do not count, because picocli sets them.
   */
  private static final int LEAST_FINAL = 900;

  private static final ImmutableSet<String> PICOCLI =
      ImmutableSet.of("Option", "Parameters", "Mixin", "Spec");

  @Test
  void methods_fitTheLimit_andFieldsAreFinal() throws IOException {
    Counts counts = new Counts();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(sources()));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Scanner(counts, unit, positions).scan(unit, null);
      }
    }
    assertThat(counts.methods).isAtLeast(7000);
    assertThat(counts.tooLong).isEmpty();
    assertWithMessage("final fields of a thousand")
        .that(1000 * counts.finalFields / counts.fields)
        .isAtLeast(LEAST_FINAL);
  }

  private static ImmutableList<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .collect(ImmutableList.toImmutableList());
    }
  }

  private static final class Counts {
    int methods;
    int fields;
    int finalFields;
    final List<String> tooLong = new ArrayList<>();
  }

  /** Counts the methods and fields of one file. */
  private static final class Scanner extends TreePathScanner<Void, Void> {

    private final Counts counts;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    Scanner(Counts counts, CompilationUnitTree unit, SourcePositions positions) {
      this.counts = counts;
      this.unit = unit;
      this.positions = positions;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (method.getBody() != null) {
        LineMap lines = unit.getLineMap();
        long first = lines.getLineNumber(positions.getStartPosition(unit, method.getBody()));
        long last = lines.getLineNumber(positions.getEndPosition(unit, method.getBody()));
        counts.methods++;
        if (last - first + 1 > MOST_LINES) {
          counts.tooLong.add(unit.getSourceFile().getName() + ": " + method.getName());
        }
      }
      return super.visitMethod(method, null);
    }

    @Override
    public Void visitVariable(VariableTree variable, Void unused) {
      boolean isField = getCurrentPath().getParentPath().getLeaf() instanceof ClassTree;
      boolean isSet =
          variable.getModifiers().getAnnotations().stream()
              .anyMatch(each -> PICOCLI.contains(each.getAnnotationType().toString()));
      if (isField && !isSet) {
        counts.fields++;
        counts.finalFields += variable.getModifiers().getFlags().contains(Modifier.FINAL) ? 1 : 0;
      }
      return super.visitVariable(variable, null);
    }
  }
}
