package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.Multimaps;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which package may use which: the picture in the design, as rules. */
final class ArchitectureTest {

  private static final String ROOT = "dev.sublet";

  /** For each package the packages of Sublet that it may use, besides itself. */
  private static final ImmutableMap<String, ImmutableSet<String>> ALLOWED =
      ImmutableMap.<String, ImmutableSet<String>>builder()
          .put("diag", ImmutableSet.of())
          .put("program", ImmutableSet.of("diag", "proto"))
          .put("operator", ImmutableSet.of("diag", "program"))
          .put("plan", ImmutableSet.of("diag", "program"))
          .put("onnx", ImmutableSet.of("diag", "program", "plan", "proto.onnx"))
          .put(
              "codec",
              ImmutableSet.of("diag", "program", "plan", "onnx", "proto", "proto.onnx", "tensor"))
          .put("shape", ImmutableSet.of("diag", "program", "operator"))
          .put("cfg", ImmutableSet.of("diag", "program", "operator"))
          .put("liveness", ImmutableSet.of("diag", "program", "operator", "plan", "cfg"))
          .put(
              "analysis",
              ImmutableSet.of("diag", "program", "operator", "cfg", "shape", "liveness"))
          .put(
              "sharing",
              ImmutableSet.of(
                  "diag", "program", "operator", "plan", "cfg", "shape", "liveness", "analysis"))
          .put(
              "loop",
              ImmutableSet.of(
                  "program", "operator", "plan", "cfg", "shape", "liveness", "analysis"))
          .put("placement.problem", ImmutableSet.of("diag"))
          .put("placement.greedy", ImmutableSet.of("diag", "placement.problem"))
          .put("placement.nnc", ImmutableSet.of("diag", "placement.problem", "placement.greedy"))
          .put("placement.cover", ImmutableSet.of("diag", "placement.problem"))
          .put("placement.search", ImmutableSet.of("diag", "placement.problem", "placement.greedy"))
          .put(
              "placement",
              ImmutableSet.of(
                  "diag",
                  "placement.problem",
                  "placement.greedy",
                  "placement.nnc",
                  "placement.cover",
                  "placement.search"))
          .put(
              "offset.order",
              ImmutableSet.of("diag", "program", "plan", "cfg", "liveness", "placement.problem"))
          .put(
              "offset.merge",
              ImmutableSet.of(
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
          .put("verify", ImmutableSet.of("diag", "program", "operator", "plan", "shape"))
          .put("diff", ImmutableSet.of("program", "plan"))
          .put("golden", ImmutableSet.of("diag", "program", "plan", "codec", "diff", "report"))
          .put(
              "picture",
              ImmutableSet.of(
                  "diag", "program", "operator", "plan", "cfg", "shape", "liveness", "sharing"))
          .put("tensor", ImmutableSet.of())
          .put("micro.ir", ImmutableSet.of("tensor"))
          .put("micro.op", ImmutableSet.of("tensor", "micro.ir"))
          .put("micro.fuse", ImmutableSet.of("tensor", "micro.ir"))
          .put("micro.run", ImmutableSet.of("tensor", "micro.ir"))
          .put("micro.emit", ImmutableSet.of("tensor", "micro.ir"))
          .put(
              "execute",
              ImmutableSet.of(
                  "diag",
                  "program",
                  "operator",
                  "plan",
                  "shape",
                  "tensor",
                  "micro.ir",
                  "micro.op",
                  "micro.fuse",
                  "micro.run"))
          .buildOrThrow();

  private static final int MOST_WITH_SEVEN = 25;

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static DescribedPredicate<JavaClass> subletOutside(ImmutableSet<String> packages) {
    return DescribedPredicate.describe(
        "classes of Sublet outside " + packages,
        c ->
            c.getPackageName().startsWith(ROOT)
                && !packages.contains(c.getPackageName().replaceFirst("^dev\\.sublet\\.?", "")));
  }

  @Test
  void everyPackage_usesOnlyPackagesEarlierOnTheDataPath() {
    ALLOWED.forEach(
        (name, allowed) -> {
          ImmutableSet<String> visible =
              ImmutableSet.<String>builder().addAll(allowed).add(name).build();
          noClasses()
              .that()
              .resideInAPackage(ROOT + "." + name)
              .should()
              .dependOnClassesThat(subletOutside(visible))
              .check(MAIN);
        });
  }

  @Test
  void everyTopLevelClass_hasANameOfItsOwn() {
    ListMultimap<String, String> packages = ArrayListMultimap.create();
    for (JavaClass each : MAIN) {
      if (!each.getEnclosingClass().isPresent()
          && !each.getSimpleName().isEmpty()
          && !each.getSimpleName().equals("package-info")
          && !each.getPackageName().startsWith(ROOT + ".proto")) {
        packages.put(each.getSimpleName(), each.getPackageName());
      }
    }
    assertThat(Multimaps.filterKeys(packages, name -> packages.get(name).size() > 1)).isEmpty();
  }

  /** A ratchet: lower the number when there are fewer. Constructors of records are lists anyway. */
  @Test
  void fewMethods_haveSevenParametersOrMore() {
    Set<String> many = new TreeSet<>();
    for (JavaClass each : MAIN) {
      for (JavaCodeUnit unit : each.getCodeUnits()) {
        boolean isWritten =
            !unit.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !unit.getName().contains("$")
                && !each.isRecord()
                && !each.getPackageName().startsWith(ROOT + ".proto");
        if (isWritten && unit.getRawParameterTypes().size() >= 7) {
          many.add(unit.getFullName());
        }
      }
    }
    assertWithMessage(String.join("\n", many)).that(many.size()).isAtMost(MOST_WITH_SEVEN);
  }

  @Test
  void onlyProgramAndCodec_seeGeneratedMessages() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT + ".program", ROOT + ".onnx", ROOT + ".codec", ROOT + ".proto..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".proto..")
        .check(MAIN);
  }

  @Test
  void nobody_usesTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".cli")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT + ".cli")
        .check(MAIN);
  }

  @Test
  void onlyTheCommandLine_usesThePlugin() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".cli", ROOT + ".plugin")
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
      String name = c.getPackageName().replaceFirst("^dev\\.sublet\\.?", "");
      if (!ALLOWED.containsKey(name) && !top.contains(name)) {
        unknown.add(name);
      }
    }
    assertThat(unknown.build()).isEmpty();
  }
}
