package dev.sublet.fuzz;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.random.OpaquePrograms;
import dev.sublet.testing.random.OpenPrograms;
import dev.sublet.testing.random.RandomLoops;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.random.SequencePrograms;
import dev.sublet.testing.text.ProgramText;

/** The generators of random programs; the same seed and size give the same program. */
enum ProgramKind {
  /** Everything that a program may hold, with types that need not fit. */
  ANY {
    @Override
    Program generate(long seed, int size) {
      return RandomPrograms.generate(seed, size);
    }
  },
  /** The same with many operators that only move bytes. */
  VIEWS {
    @Override
    Program generate(long seed, int size) {
      return RandomPrograms.generateWithViews(seed, size);
    }
  },
  /** Programs whose types fit. */
  TYPED {
    @Override
    Program generate(long seed, int size) {
      return RandomPrograms.generateTyped(seed, size);
    }
  },
  /** Any of these, with open extents. */
  OPEN {
    @Override
    Program generate(long seed, int size) {
      return OpenPrograms.generate(seed, size);
    }
  },
  /** Programs with blocks at operators that are not for control flow. */
  OPAQUE {
    @Override
    Program generate(long seed, int size) {
      return OpaquePrograms.generate(seed, size);
    }
  },
  /** Programs that run. */
  EXECUTABLE {
    @Override
    Program generate(long seed, int size) {
      return ExecutablePrograms.generate(seed, size);
    }

    @Override
    ImmutableMap<String, LodTensor> feeds(long seed) {
      return ImmutableMap.of("x", feed("x", 4, 4), "y", feed("y", 16));
    }
  },
  /** Programs over texts, which run with any lengths. */
  SEQUENCES {
    @Override
    Program generate(long seed, int size) {
      return SequencePrograms.generate(seed, size);
    }

    @Override
    ImmutableMap<String, LodTensor> feeds(long seed) {
      return SequencePrograms.feeds(seed);
    }
  },
  /** Loops that hand values on. */
  LOOPS {
    @Override
    Program generate(long seed, int size) {
      boolean nested = size % 2 == 0;
      return ProgramText.parse(
          switch (size % 4) {
            case 0 -> RandomLoops.generate(seed, nested);
            case 1 -> RandomLoops.generateWithCases(seed, nested);
            case 2 -> RandomLoops.generateWithOtherValues(seed, nested);
            default ->
                size % 8 == 3
                    ? RandomLoops.generateTwoLoops(seed)
                    : RandomLoops.generateThreeLoops(seed);
          });
    }
  };

  abstract Program generate(long seed, int size);

  /** The feeds with which the programs run; none if they do not. */
  ImmutableMap<String, LodTensor> feeds(long seed) {
    return ImmutableMap.of();
  }

  private static LodTensor feed(String name, long... extents) {
    ImmutableLongArray shape = ImmutableLongArray.copyOf(extents);
    return LodTensor.of(RandomTensors.feed(name, 0, DataType.FP32, shape));
  }
}
