package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.google.common.base.Splitter;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package may use which: the picture in the design, as rules. */
final class ArchitectureTest {

  private static final String ROOT = "dev.sublet";

  /**
   * For each package the packages of Sublet that it may use, besides itself. A name stands for the
   * packages in it too, as long as they have no line of their own.
   */
  private static final ImmutableMap<String, ImmutableSet<String>> ALLOWED =
      ImmutableMap.<String, ImmutableSet<String>>builder()
          .put("diag", ImmutableSet.of())
          .put("concurrent", ImmutableSet.of())
          .put("program", ImmutableSet.of("diag", "proto"))
          .put("operator.infer", ImmutableSet.of("program"))
          .put("operator.spec", ImmutableSet.of("program", "operator.infer"))
          .put("operator.paddle", ImmutableSet.of("program", "operator.infer", "operator.spec"))
          .put(
              "operator.onnx",
              ImmutableSet.of("program", "operator.infer", "operator.spec", "operator.paddle"))
          .put(
              "operator",
              ImmutableSet.of("program", "operator.spec", "operator.paddle", "operator.onnx"))
          .put("plan", ImmutableSet.of("diag", "program"))
          .put("onnx", ImmutableSet.of("diag", "program", "plan", "proto.onnx"))
          .put(
              "codec",
              ImmutableSet.of(
                  "diag", "program", "plan", "onnx", "proto", "proto.onnx", "runtime.tensor"))
          .put("shape", ImmutableSet.of("diag", "program", "operator"))
          .put("baseline", ImmutableSet.of("program", "shape"))
          .put("cfg", ImmutableSet.of("diag", "program", "operator"))
          .put("liveness", ImmutableSet.of("diag", "program", "operator", "plan", "cfg"))
          .put(
              "analysis",
              ImmutableSet.of(
                  "diag", "concurrent", "program", "operator", "cfg", "shape", "liveness"))
          .put("fusion", ImmutableSet.of("program", "cfg"))
          .put(
              "sharing",
              ImmutableSet.of(
                  "diag",
                  "concurrent",
                  "program",
                  "operator",
                  "plan",
                  "cfg",
                  "fusion",
                  "shape",
                  "liveness",
                  "analysis"))
          .put(
              "loop",
              ImmutableSet.of(
                  "program", "operator", "plan", "cfg", "shape", "liveness", "analysis"))
          .put("schedule", ImmutableSet.of())
          .put("placement.problem", ImmutableSet.of("diag"))
          .put("placement.greedy", ImmutableSet.of("diag", "placement.problem"))
          .put("placement.nnc", ImmutableSet.of("diag", "placement.problem", "placement.greedy"))
          .put("placement.cover", ImmutableSet.of("diag", "placement.problem"))
          .put("placement.local", ImmutableSet.of("placement.problem"))
          .put("placement.search", ImmutableSet.of("diag", "placement.problem", "placement.greedy"))
          .put(
              "placement",
              ImmutableSet.of(
                  "diag",
                  "placement.problem",
                  "placement.greedy",
                  "placement.nnc",
                  "placement.cover",
                  "placement.local",
                  "placement.search"))
          .put(
              "offset.order",
              ImmutableSet.of("diag", "program", "plan", "cfg", "liveness", "placement.problem"))
          .put(
              "offset.merge",
              ImmutableSet.of(
                  "diag",
                  "program",
                  "operator",
                  "plan",
                  "cfg",
                  "shape",
                  "liveness",
                  "analysis",
                  "placement.problem",
                  "offset.order"))
          .put(
              "offset",
              ImmutableSet.of(
                  "diag",
                  "program",
                  "operator",
                  "plan",
                  "cfg",
                  "shape",
                  "liveness",
                  "analysis",
                  "placement.problem",
                  "placement.greedy",
                  "placement.cover",
                  "placement",
                  "offset.order",
                  "offset.merge"))
          .put("verify", ImmutableSet.of())
          .put("verify.graph", ImmutableSet.of("diag", "program", "operator", "plan", "shape"))
          .put(
              "verify.rewrite",
              ImmutableSet.of("diag", "program", "operator", "plan", "shape", "verify.graph"))
          .put("verify.fusion", ImmutableSet.of("diag", "program", "verify.graph"))
          .put("verify.order", ImmutableSet.of("diag", "program", "operator", "verify.graph"))
          .put("verify.repeat", ImmutableSet.of("program", "operator", "shape", "verify.graph"))
          .put(
              "verify.plan",
              ImmutableSet.of("diag", "program", "operator", "plan", "shape", "verify.graph"))
          .put("diff", ImmutableSet.of("program", "plan"))
          .put("golden", ImmutableSet.of("diag", "program", "plan", "codec", "diff", "report"))
          .put(
              "picture",
              ImmutableSet.of(
                  "diag", "program", "operator", "plan", "cfg", "shape", "liveness", "sharing"))
          .put(
              "compile.trace",
              ImmutableSet.of(
                  "diag",
                  "program",
                  "operator",
                  "shape",
                  "liveness",
                  "analysis",
                  "runtime.tensor",
                  "runtime.micro",
                  "runtime.kernel",
                  "runtime.machine",
                  "compile.kernel"))
          .put(
              "compile",
              ImmutableSet.of(
                  "",
                  "diag",
                  "program",
                  "operator",
                  "plan",
                  "codec",
                  "shape",
                  "offset",
                  "liveness",
                  "analysis",
                  "runtime.tensor",
                  "runtime.micro",
                  "runtime.kernel",
                  "runtime.machine",
                  "compile.trace"))
          .put(
              "peak",
              ImmutableSet.of(
                  "",
                  "diag",
                  "program",
                  "operator",
                  "plan",
                  "onnx",
                  "cfg",
                  "shape",
                  "liveness",
                  "analysis",
                  "offset",
                  "offset.merge",
                  "verify.graph"))
          .put("runtime.tensor", ImmutableSet.of())
          .put("runtime.micro.ir", ImmutableSet.of("runtime.tensor"))
          .put("runtime.micro", ImmutableSet.of("runtime.tensor", "runtime.micro.ir"))
          .put(
              "runtime.kernel",
              ImmutableSet.of("diag", "program", "operator", "runtime.tensor", "runtime.micro"))
          .put(
              "runtime.memory",
              ImmutableSet.of(
                  "diag", "program", "operator", "plan", "runtime.tensor", "runtime.kernel"))
          .put(
              "runtime.machine",
              ImmutableSet.of(
                  "diag",
                  "program",
                  "operator",
                  "plan",
                  "shape",
                  "runtime.tensor",
                  "runtime.kernel",
                  "runtime.memory"))
          .buildOrThrow();

  private static final int MOST_WITH_SEVEN = 4;

  private static final long MOST_COMPONENTS = 12;

  /** The most files of a folder, {@code package-info.java} aside. */
  private static final long MOST_FILES = 30;

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static String relative(JavaClass each) {
    return each.getPackageName().replaceFirst("^dev\\.sublet\\.?", "");
  }

  private static boolean isIn(String inner, String outer) {
    return inner.equals(outer) || inner.startsWith(outer + ".");
  }

  /** The line of the table that a package belongs to; empty if there is none. */
  private static String line(String inner) {
    String line = inner;
    while (!line.isEmpty() && !ALLOWED.containsKey(line)) {
      line = line.substring(0, Math.max(0, line.lastIndexOf('.')));
    }
    return line;
  }

  @Test
  void everyPackage_usesOnlyPackagesEarlierOnTheDataPath() {
    Set<String> broken = new TreeSet<>();
    for (JavaClass each : MAIN) {
      String own = line(relative(each));
      if (own.isEmpty()) {
        continue;
      }
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass();
        String used = relative(target);
        boolean isAllowed =
            !target.getPackageName().startsWith(ROOT)
                || line(used).equals(own)
                || requireNonNull(ALLOWED.get(own)).stream().anyMatch(name -> isIn(used, name));
        if (!isAllowed) {
          broken.add(each.getName() + " uses " + target.getName());
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** The drawing in CONTRIBUTING: a package uses packages of its own line and of lower lines. */
  @Test
  void layersOfTheDrawing_areTrue() throws IOException {
    Map<String, Integer> layers = drawnLayers();
    assertThat(layers.size()).isAtLeast(40);
    Set<String> broken = new TreeSet<>();
    for (JavaClass each : MAIN) {
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        String own = relative(each);
        String used = relative(dependency.getTargetClass());
        boolean isDrawn =
            dependency.getTargetClass().getPackageName().startsWith(ROOT)
                && !isIn(own, "proto")
                && !isIn(used, "proto");
        if (isDrawn && layer(used, layers) < layer(own, layers)) {
          broken.add(own + " uses " + used);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  /** The lines of the drawing by package, from the top; the root package is empty. */
  private static Map<String, Integer> drawnLayers() throws IOException {
    Map<String, Integer> layers = new TreeMap<>();
    List<String> lines = Files.readAllLines(Path.of("CONTRIBUTING.md"));
    int first = lines.indexOf("Nothing forms a cycle (`ArchitectureTest`):") + 2;
    for (int i = first; lines.get(i).startsWith("    "); i++) {
      String packages = lines.get(i).strip().split(" {3,}", 2)[0];
      for (String name : Splitter.onPattern("[ |]+").split(packages)) {
        boolean isRoot = name.equals("Transpiler") || name.equals("Verifier");
        layers.put(isRoot ? "" : name.replaceFirst("\\.(\\*|FAMILY)$", ".*"), i);
      }
    }
    return layers;
  }

  /** The line of a package, or of the packages around it: {@code a.b}, {@code a.*}, {@code a}. */
  private static int layer(String name, Map<String, Integer> layers) {
    String outer = name;
    while (!layers.containsKey(outer)) {
      int dot = outer.replaceFirst("\\.\\*$", "").lastIndexOf('.');
      assertWithMessage("%s is in no line of the drawing", name).that(dot).isAtLeast(0);
      String parent = outer.substring(0, dot);
      outer = layers.containsKey(parent + ".*") ? parent + ".*" : parent;
    }
    return requireNonNull(layers.get(outer));
  }

  @Test
  void packages_formNoCycle() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
  }

  @Test
  void everyTopLevelClass_hasANameOfItsOwn() {
    ListMultimap<String, String> packages = ArrayListMultimap.create();
    for (JavaClass each : MAIN) {
      if (!each.getEnclosingClass().isPresent() && isNamed(each)) {
        packages.put(each.getSimpleName(), each.getPackageName());
      }
    }
    assertThat(Multimaps.filterKeys(packages, name -> packages.get(name).size() > 1)).isEmpty();
  }

  /**
   * No nested type has the name of a top-level type, so that a simple name means one type even
   * without its import. Several nested types may have one name, such as {@code Builder} or {@code
   * Kind}, because the type around each says what it belongs to.
   */
  @Test
  void noNestedClass_hasTheNameOfATopLevelClass() {
    Set<String> topLevel = new HashSet<>();
    for (JavaClass each : MAIN) {
      if (!each.getEnclosingClass().isPresent() && isNamed(each)) {
        topLevel.add(each.getSimpleName());
      }
    }
    Set<String> shadowing = new TreeSet<>();
    int nested = 0;
    for (JavaClass each : MAIN) {
      if (each.getEnclosingClass().isPresent() && isNamed(each)) {
        nested++;
        if (topLevel.contains(each.getSimpleName())) {
          shadowing.add(each.getName());
        }
      }
    }
    assertThat(nested).isAtLeast(200);
    assertThat(shadowing).isEmpty();
  }

  /** Whether a class has a name in a file of ours: it is neither anonymous nor generated. */
  private static boolean isNamed(JavaClass each) {
    return !each.getSimpleName().isEmpty()
        && !each.getSimpleName().equals("package-info")
        && !each.getPackageName().startsWith(ROOT + ".proto");
  }

  /** A folder that one can take in at a glance. */
  @Test
  void noFolder_hasManyFiles() throws IOException {
    Map<String, Long> many = new TreeMap<>();
    for (String root : List.of("src/main/java", "src/test/java")) {
      try (Stream<Path> files = Files.walk(Path.of(root))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(groupingBy(file -> requireNonNull(file.getParent()).toString(), counting()))
            .forEach(
                (folder, count) -> {
                  if (count > MOST_FILES) {
                    many.put(folder, count);
                  }
                });
      }
    }
    assertThat(many).isEmpty();
  }

  /**
   * A ratchet: lower the number when there are fewer. A record's own constructor has one parameter
   * per component and does not count; a further constructor does.
   */
  @Test
  void fewMethods_haveSevenParametersOrMore() {
    Set<String> many = new TreeSet<>();
    for (JavaClass each : MAIN) {
      for (JavaCodeUnit unit : each.getCodeUnits()) {
        boolean isWritten =
            !unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !unit.getName().contains("$")
                && !isCanonical(each, unit)
                && !each.getPackageName().startsWith(ROOT + ".proto");
        if (isWritten && unit.getRawParameterTypes().size() >= 7) {
          many.add(unit.getFullName());
        }
      }
    }
    assertWithMessage(String.join("\n", many)).that(many.size()).isAtMost(MOST_WITH_SEVEN);
  }

  /** A record with more components is several values. */
  @Test
  void records_haveTwelveComponentsAtMost() {
    Set<String> large = new TreeSet<>();
    for (JavaClass each : MAIN) {
      if (each.isRecord() && components(each) > MOST_COMPONENTS) {
        large.add(each.getName());
      }
    }
    assertThat(large).isEmpty();
  }

  private static boolean isCanonical(JavaClass type, JavaCodeUnit unit) {
    return type.isRecord()
        && unit.isConstructor()
        && unit.getRawParameterTypes().size() == components(type);
  }

  private static long components(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .count();
  }

  @Test
  void onlyProgramCodecAndOnnx_seeGeneratedMessages() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + ".program", ROOT + ".onnx", ROOT + ".codec..", ROOT + ".proto..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".proto..")
        .check(MAIN);
  }

  @Test
  void nobody_usesTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".cli..")
        .check(MAIN);
  }

  @Test
  void onlyTheCommandLine_usesThePlugin() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".cli..", ROOT + ".plugin")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".plugin")
        .check(MAIN);
  }

  @Test
  void staticFields_areFinal() {
    fields()
        .that()
        .areStatic()
        .and()
        .areDeclaredInClassesThat()
        .resideOutsideOfPackage(ROOT + ".proto..")
        .should()
        .beFinal()
        .check(MAIN);
  }

  @Test
  void everyPackage_isInTheTable() {
    ImmutableSet.Builder<String> unknown = ImmutableSet.builder();
    ImmutableSet<String> top =
        ImmutableSet.of("", "cli", "report", "plugin", "proto", "proto.onnx");
    for (JavaClass c : MAIN) {
      String name = relative(c);
      if (line(name).isEmpty() && top.stream().noneMatch(each -> isIn(name, each))) {
        unknown.add(name);
      }
    }
    assertThat(unknown.build()).isEmpty();
  }
}
