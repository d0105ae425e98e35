package dev.sublet.fuzz;

import dev.sublet.program.Program;
import dev.sublet.testing.random.ExecutablePrograms;
import dev.sublet.testing.random.OpenPrograms;
import dev.sublet.testing.random.RandomLoops;
import dev.sublet.testing.random.RandomPrograms;
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
  /** Programs that run. */
  EXECUTABLE {
    @Override
    Program generate(long seed, int size) {
      return ExecutablePrograms.generate(seed, size);
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
}
