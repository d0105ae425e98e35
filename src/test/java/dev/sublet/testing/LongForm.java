package dev.sublet.testing;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.Lifespan;
import net.jqwik.api.lifecycle.Store;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/**
 * The long form of the tests, {@code -Dsublet.long=true}. The usual form makes fewer random tries
 * and asks other programs less.
 *
 * <p>A property of jqwik states the number of its tries in the long form. With this class as its
 * lifecycle hook, the usual form makes one try of three.
 */
public final class LongForm implements AroundTryHook {

  /** The usual form makes the first of so many tries. */
  private static final int TRIES_FOR_ONE = 3;

  /** Whether the tests run in their long form. */
  public static boolean isOn() {
    return Boolean.getBoolean("sublet.long");
  }

  /** Returns the number of tries: one for the usual form, one for the long form. */
  public static int tries(int usual, int all) {
    return isOn() ? all : usual;
  }

  @Override
  public TryExecutionResult aroundTry(
      TryLifecycleContext context, TryExecutor aTry, List<Object> parameters) {
    AtomicInteger tries =
        Store.getOrCreate(LongForm.class, Lifespan.PROPERTY, AtomicInteger::new).get();
    boolean isFailing = tries.get() < 0;
    if (!isOn() && !isFailing && tries.getAndIncrement() % TRIES_FOR_ONE != 0) {
      return TryExecutionResult.satisfied();
    }
    TryExecutionResult result = aTry.execute(parameters);
    if (result.isFalsified()) {
      // The tries that shrink the failure are made, each of them.
      tries.set(-1);
    }
    return result;
  }
}
