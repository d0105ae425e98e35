package dev.sublet.verify.rewrite;

import static com.google.common.truth.Truth.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class NumberMapTest {

  /** The map is used for several rounds, as for several loops; a map of the JDK is the model. */
  @Property(tries = 200)
  void getsAndPuts_areThoseOfAHashMap(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int keys) {
    Random random = new Random(seed);
    NumberMap map = new NumberMap();
    for (int round = 0; round < 4; round++) {
      map.clear();
      Map<Integer, Integer> model = new HashMap<>();
      for (int step = 0; step < 300; step++) {
        int key = random.nextInt(keys) - 1;
        if (random.nextBoolean()) {
          int value = random.nextInt(1000) - 1;
          map.put(key, value);
          model.put(key, value);
        }
        assertThat(map.get(key)).isEqualTo(model.getOrDefault(key, NumberMap.ABSENT));
      }
      for (int key = -1; key < keys; key++) {
        assertThat(map.get(key)).isEqualTo(model.getOrDefault(key, NumberMap.ABSENT));
      }
    }
  }
}
