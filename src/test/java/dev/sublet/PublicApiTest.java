package dev.sublet;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableSet;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What users of the library see of other libraries: in public signatures are types of the JDK,
 * Sublet's public ones, Guava's immutable ones, and protobuf's where messages go in and out.
 */
final class PublicApiTest {

  /** Packages that are no part of the library, with the packages in them: users run them. */
  private static final ImmutableSet<String> PROGRAMS =
      ImmutableSet.of("dev.sublet.cli", "dev.sublet.plugin", "dev.sublet.report");

  /** Where a message goes in or out: for those who have one in memory, and for the codec. */
  private static final ImmutableSet<String> MESSAGES =
      ImmutableSet.of(
          "dev.sublet.program.Program.of",
          "dev.sublet.program.Program.toMessage",
          "dev.sublet.onnx.OnnxModel.of",
          "dev.sublet.onnx.OnnxModel.toMessage",
          "dev.sublet.onnx.OnnxModel.annotated",
          "dev.sublet.onnx.OnnxConstant.toMessage",
          "dev.sublet.onnx.OnnxConstant.toSparseMessage",
          "dev.sublet.codec.plan.PlanMessages.toMessage",
          "dev.sublet.codec.program.MessageParser.parse",
          "dev.sublet.codec.program.TextForm.print",
          "dev.sublet.codec.program.TextLosses.of");

  /** The main classes of this run, wherever they are. */
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .importUrl(Transpiler.class.getProtectionDomain().getCodeSource().getLocation());

  /** Whether users can name a type: it is public, and so is all around it. */
  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC)
        && !modifiers.contains(JavaModifier.BRIDGE);
  }

  private static boolean isGenerated(JavaClass type) {
    return type.getPackageName().startsWith("dev.sublet.proto");
  }

  private static boolean isOfProgram(JavaClass type) {
    return PROGRAMS.stream().anyMatch(each -> (type.getPackageName() + ".").startsWith(each + "."));
  }

  private static boolean isOfLibrary(JavaClass type) {
    return isVisible(type) && !isGenerated(type) && !isOfProgram(type);
  }

  /** What is wrong with a type in a signature; empty if nothing is. */
  private static String fault(JavaClass type, String where) {
    JavaClass base = type.getBaseComponentType();
    String name = base.getName();
    if (base.isPrimitive() || name.startsWith("java.") || MESSAGES.contains(where)) {
      return "";
    }
    if (name.startsWith("dev.sublet.") && !isGenerated(base)) {
      return isVisible(base) && !isOfProgram(base) ? "" : name;
    }
    return name.matches("com\\.google\\.common\\.(collect|primitives)\\.Immutable\\w+") ? "" : name;
  }

  private static void check(Set<JavaClass> types, String where, List<String> faults) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : types) {
      found.add(fault(type, where));
    }
    found.remove("");
    if (!found.isEmpty()) {
      faults.add(where + " shows " + found);
    }
  }

  private static Set<JavaClass> involved(JavaCodeUnit method) {
    Set<JavaClass> types = new HashSet<>(method.getReturnType().getAllInvolvedRawTypes());
    for (JavaType parameter : method.getParameterTypes()) {
      types.addAll(parameter.getAllInvolvedRawTypes());
    }
    types.addAll(method.getRawReturnType().getAllInvolvedRawTypes());
    types.addAll(method.getThrowsClause().getTypes());
    return types;
  }

  @Test
  void publicSignatures_useNoTypesOfOtherLibraries() {
    List<String> faults = new ArrayList<>();
    int checked = 0;
    for (JavaClass type : MAIN) {
      if (!isOfLibrary(type)) {
        continue;
      }
      type.getRawSuperclass().ifPresent(above -> check(Set.of(above), type.getName(), faults));
      check(Set.copyOf(type.getRawInterfaces()), type.getName(), faults);
      for (JavaCodeUnit method : type.getCodeUnits()) {
        if (isVisible(method.getModifiers())) {
          check(involved(method), type.getName() + "." + method.getName(), faults);
          checked++;
        }
      }
      for (JavaField field : type.getFields()) {
        if (isVisible(field.getModifiers())) {
          check(field.getAllInvolvedRawTypes(), field.getFullName(), faults);
        }
      }
    }
    assertThat(checked).isAtLeast(1500);
    assertThat(faults).isEmpty();
  }

  /** Nothing but the cli's entry is public there, so that nobody builds on it. */
  @Test
  void programs_showNothingButTheirEntries() {
    List<String> visible = new ArrayList<>();
    for (JavaClass type : MAIN) {
      if (isVisible(type)
          && PROGRAMS.contains(type.getPackageName())
          && !type.getPackageName().endsWith(".report")) {
        visible.add(type.getName());
      }
    }
    assertThat(visible)
        .containsExactly(
            "dev.sublet.cli.Main",
            "dev.sublet.plugin.PluginServer",
            "dev.sublet.plugin.RequestLimits");
  }
}
