package dev.sublet;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every public type, method and constructor has a comment, every package a text, and records of the
 * library's packages name all their components. That links, tags and markup are right is the
 * compiler's work ({@code -Xdoclint} in the pom). A {@code @param} for every parameter is not
 * demanded: where the sentence says it, repeating it is noise.
 */
final class JavadocTest {

  /** The packages that the README calls the library. */
  static final ImmutableSet<String> LIBRARY =
      ImmutableSet.of(
          "dev.sublet",
          "dev.sublet.program",
          "dev.sublet.plan",
          "dev.sublet.diag",
          "dev.sublet.codec",
          "dev.sublet.onnx",
          "dev.sublet.diff",
          "dev.sublet.picture",
          "dev.sublet.golden");

  private final List<String> faults = new ArrayList<>();
  private @Nullable DocTrees trees;
  private int checked;

  @Test
  void everythingPublic_isDocumented() throws IOException {
    ImmutableList<Path> files;
    try (Stream<Path> paths = Files.walk(Path.of("src", "main", "java"))) {
      files =
          paths
              .filter(path -> path.toString().endsWith(".java"))
              .sorted()
              .collect(ImmutableList.toImmutableList());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        checkUnit(unit);
      }
    }
    assertThat(checked).isAtLeast(1200);
    assertThat(faults).isEmpty();
  }

  /** A class that the docs name with its package, such as {@code cfg.AccessTable}. */
  private static final Pattern QUALIFIED = Pattern.compile("`((?:[a-z]+\\.)+)([A-Z]\\w*)");

  @Test
  void docs_nameClassesThatExist() throws IOException {
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (Path file : List.of(Path.of("CONTRIBUTING.md"), Path.of("docs", "glossary.md"))) {
      Matcher names = QUALIFIED.matcher(Files.readString(file));
      while (names.find()) {
        String folder = names.group(1).replaceFirst("^dev\\.sublet\\.", "").replace('.', '/');
        Path main = Path.of("src", "main", "java", "dev", "sublet").resolve(folder);
        Path test = Path.of("src", "test", "java", "dev", "sublet").resolve(folder);
        if (folder.equals("domain/")) {
          continue; // a placeholder: domain.Type
        }
        named++;
        String source = names.group(2) + ".java";
        if (!Files.exists(main.resolve(source)) && !Files.exists(test.resolve(source))) {
          missing.add(file + ": " + names.group());
        }
      }
    }
    assertThat(named).isAtLeast(20);
    assertThat(missing).isEmpty();
  }

  private void checkUnit(CompilationUnitTree unit) {
    TreePath path = new TreePath(unit);
    if (unit.getSourceFile().getName().endsWith("package-info.java")) {
      Tree name = unit.getPackage();
      demandComment(new TreePath(path, name), unit, "the package");
    }
    for (Tree type : unit.getTypeDecls()) {
      if (type instanceof ClassTree declared && isPublic(declared.getModifiers())) {
        checkType(new TreePath(path, declared), declared, unit);
      }
    }
  }

  private static boolean isPublic(ModifiersTree modifiers) {
    return modifiers.getFlags().contains(Modifier.PUBLIC)
        || modifiers.getFlags().contains(Modifier.PROTECTED);
  }

  /** Whether a package is of the library, or inside one of its packages other than the root. */
  private static boolean isLibrary(String name) {
    return LIBRARY.contains(name)
        || LIBRARY.stream()
            .anyMatch(each -> !each.equals("dev.sublet") && name.startsWith(each + "."));
  }

  private void checkType(TreePath path, ClassTree type, CompilationUnitTree unit) {
    String name = type.getSimpleName().toString();
    DocCommentTree comment = demandComment(path, unit, name);
    boolean isLibrary = isLibrary(String.valueOf(unit.getPackageName()));
    if (type.getKind() == Tree.Kind.RECORD && isLibrary && comment != null) {
      checkComponents(type, comment, unit);
    }
    for (Tree member : type.getMembers()) {
      TreePath inside = new TreePath(path, member);
      if (member instanceof ClassTree nested && isVisible(nested.getModifiers(), type)) {
        checkType(inside, nested, unit);
      } else if (member instanceof MethodTree method
          && isVisible(method.getModifiers(), type)
          && !isOverride(method)
          && !isCompact(method, type)) {
        demandComment(inside, unit, name + "." + method.getName());
      } else if (member instanceof VariableTree field && isConstant(field, type) && isLibrary) {
        demandComment(inside, unit, name + "." + field.getName());
      }
    }
  }

  /** What an interface declares is public without saying so. */
  private static boolean isVisible(ModifiersTree modifiers, ClassTree type) {
    return isPublic(modifiers)
        || (type.getKind() == Tree.Kind.INTERFACE
            && !modifiers.getFlags().contains(Modifier.PRIVATE));
  }

  /** A field that others see; the constants of an enum have the flags of one. */
  private static boolean isConstant(VariableTree field, ClassTree type) {
    return isVisible(field.getModifiers(), type);
  }

  private static boolean isOverride(MethodTree method) {
    return method.getModifiers().getAnnotations().stream()
        .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
  }

  /**
   * The constructor of a record takes what the record's comment describes. If it refuses more than
   * null, it needs a comment of its own that says so.
   */
  private static boolean isCompact(MethodTree method, ClassTree type) {
    return type.getKind() == Tree.Kind.RECORD
        && method.getName().contentEquals("<init>")
        && method.getParameters().size() == components(type).size()
        && method.getBody().getStatements().stream()
            .allMatch(statement -> statement.toString().startsWith("requireNonNull("));
  }

  private static List<String> components(ClassTree type) {
    List<String> names = new ArrayList<>();
    for (Tree member : type.getMembers()) {
      if (member instanceof VariableTree field
          && !field.getModifiers().getFlags().contains(Modifier.STATIC)) {
        names.add(field.getName().toString());
      }
    }
    return names;
  }

  /** A record of one or two components may describe them in its sentence. */
  private void checkComponents(ClassTree type, DocCommentTree comment, CompilationUnitTree unit) {
    Set<String> described = new HashSet<>();
    for (DocTree tag : comment.getBlockTags()) {
      if (tag instanceof ParamTree param) {
        described.add(param.getName().toString());
      }
    }
    List<String> components = components(type);
    if (components.size() > 2 && !described.containsAll(components)) {
      components.removeAll(described);
      faults.add(
          place(unit) + type.getSimpleName() + " does not say what these are: " + components);
    }
  }

  private @Nullable DocCommentTree demandComment(
      TreePath path, CompilationUnitTree unit, String what) {
    checked++;
    DocCommentTree comment = trees == null ? null : trees.getDocCommentTree(path);
    if (comment == null || (comment.getFirstSentence().isEmpty() && comment.getBody().isEmpty())) {
      faults.add(place(unit) + what + " has no comment");
    }
    return comment;
  }

  private static String place(CompilationUnitTree unit) {
    return unit.getSourceFile().getName() + ": ";
  }
}
