package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.sublet.operator.spec.CatalogBuilder;
import dev.sublet.runtime.kernel.KernelRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * An operator lives in one place: the folder of its kernel has the name of the folder of its entry.
 * There are no exceptions.
 */
final class OperatorFamiliesTest {

  private static final String ENTRIES = "dev.sublet.operator.paddle";
  private static final String KERNELS = "dev.sublet.runtime.kernel";

  @Test
  void everyKernel_isInTheFamilyOfItsEntry() {
    Map<String, String> entries =
        families(ENTRIES, "addTo", CatalogBuilder.class, OperatorFamiliesTest::entries);
    Map<String, String> kernels =
        families(KERNELS, "register", KernelRegistry.Builder.class, OperatorFamiliesTest::kernels);
    assertThat(entries.size()).isAtLeast(1000);
    assertThat(kernels.size()).isAtLeast(400);
    Set<String> apart = new TreeSet<>();
    kernels.forEach(
        (type, family) -> {
          String entry = entries.getOrDefault(type, "no family");
          if (!family.equals(entry)) {
            apart.add(type + ": its entry is in '" + entry + "', its kernel in '" + family + "'");
          }
        });
    assertWithMessage("move the entry or the kernel").that(apart).isEmpty();
  }

  /** The folder below a root, by operator type, of the class that adds the type. */
  private static Map<String, String> families(
      String root,
      String method,
      Class<?> parameter,
      Function<Method, ImmutableSet<String>> typesThatAMethodAdds) {
    Map<String, String> families = new TreeMap<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(root)) {
      String family = each.getPackageName().substring(root.length()).replaceFirst("^\\.", "");
      for (Method candidate : each.reflect().getDeclaredMethods()) {
        if (candidate.getName().equals(method)
            && Modifier.isPublic(candidate.getModifiers())
            && Modifier.isStatic(candidate.getModifiers())
            && ImmutableList.copyOf(candidate.getParameterTypes())
                .equals(ImmutableList.of(parameter))) {
          typesThatAMethodAdds.apply(candidate).forEach(type -> families.put(type, family));
        }
      }
    }
    return families;
  }

  private static ImmutableSet<String> entries(Method addTo) {
    CatalogBuilder catalog = new CatalogBuilder();
    call(addTo, catalog);
    return catalog.families().keySet();
  }

  private static ImmutableSet<String> kernels(Method register) {
    return KernelRegistry.of(ImmutableList.of(kernels -> call(register, kernels))).types();
  }

  private static void call(Method method, Object argument) {
    try {
      method.invoke(null, argument);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new LinkageError(method + " cannot be called", e);
    }
  }
}
