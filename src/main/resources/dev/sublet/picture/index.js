// Which boxes lie in a window of time and bytes: an R-tree packed once, sixteen a node, by slices of
// time and, within them, by offset. Boxes that loops move are kept apart and always looked at.
// Source: Leutenegger, Lopez, Edgington, "STR: a simple and efficient algorithm for R-tree packing".

const FANOUT = 16;

class BoxIndex {
  // x0, x1: the time of each box; y0, y1: its bytes in the stage. All by index, all the same length.
  constructor(ids, x0, x1, y0, y1) {
    const n = ids.length;
    const slices = Math.max(1, Math.ceil(Math.sqrt(n / FANOUT)));
    const perSlice = Math.max(1, Math.ceil(n / slices));
    const order = Int32Array.from(ids);
    order.sort((a, b) => x0[a] + x1[a] - x0[b] - x1[b] || a - b);
    for (let s = 0; s < n; s += perSlice) {
      order.subarray(s, s + perSlice).sort((a, b) => y0[a] + y1[a] - y0[b] - y1[b] || a - b);
    }
    this.order = order;
    this.levels = [this.leaves(order, x0, x1, y0, y1)];
    while (this.levels[0].length > 4 * FANOUT) {
      this.levels.unshift(this.parents(this.levels[0]));
    }
    this.x0 = x0;
    this.x1 = x1;
    this.y0 = y0;
    this.y1 = y1;
  }

  // Four numbers a node: the window that holds all of its boxes.
  leaves(order, x0, x1, y0, y1) {
    const nodes = new Float64Array(4 * Math.ceil(order.length / FANOUT));
    for (let node = 0; 4 * node < nodes.length; node++) {
      empty(nodes, node);
      for (let i = node * FANOUT; i < Math.min(order.length, (node + 1) * FANOUT); i++) {
        const b = order[i];
        extend(nodes, node, x0[b], x1[b], y0[b], y1[b]);
      }
    }
    return nodes;
  }

  parents(children) {
    const count = children.length / 4;
    const nodes = new Float64Array(4 * Math.ceil(count / FANOUT));
    for (let node = 0; 4 * node < nodes.length; node++) {
      empty(nodes, node);
      for (let c = node * FANOUT; c < Math.min(count, (node + 1) * FANOUT); c++) {
        extend(nodes, node, children[4 * c], children[4 * c + 1], children[4 * c + 2], children[4 * c + 3]);
      }
    }
    return nodes;
  }

  // Writes the boxes that meet a window into an array from a position on; returns the next position.
  collect(x0, x1, y0, y1, found, at) {
    const {levels, order, x0: left, x1: right, y0: low, y1: high} = this;
    const stack = this.stack || (this.stack = new Int32Array(2 * FANOUT * (levels.length + 4)));
    const leaves = levels.length - 1;
    for (let node = levels[0].length / 4 - 1; node >= 0; node--) {
      let size = 0;
      stack[size++] = 0;
      stack[size++] = node;
      while (size > 0) {
        const next = stack[--size];
        const level = stack[--size];
        const nodes = levels[level];
        const i = 4 * next;
        if (nodes[i] >= x1 || nodes[i + 1] <= x0 || nodes[i + 2] >= y1 || nodes[i + 3] <= y0) {
          continue;
        }
        if (level < leaves) {
          const end = Math.min(levels[level + 1].length / 4, (next + 1) * FANOUT);
          for (let child = next * FANOUT; child < end; child++) {
            stack[size++] = level + 1;
            stack[size++] = child;
          }
          continue;
        }
        const end = Math.min(order.length, (next + 1) * FANOUT);
        for (let k = next * FANOUT; k < end; k++) {
          const b = order[k];
          if (left[b] < x1 && right[b] > x0 && low[b] < y1 && high[b] > y0) {
            found[at++] = b;
          }
        }
      }
    }
    return at;
  }
}

function empty(nodes, node) {
  nodes[4 * node] = Infinity;
  nodes[4 * node + 1] = -Infinity;
  nodes[4 * node + 2] = Infinity;
  nodes[4 * node + 3] = -Infinity;
}

function extend(nodes, node, x0, x1, y0, y1) {
  nodes[4 * node] = Math.min(nodes[4 * node], x0);
  nodes[4 * node + 1] = Math.max(nodes[4 * node + 1], x1);
  nodes[4 * node + 2] = Math.min(nodes[4 * node + 2], y0);
  nodes[4 * node + 3] = Math.max(nodes[4 * node + 3], y1);
}

// Gives a stage its places: low[b] and high[b] are a box's bytes in the stage, from and to its time.
function placeBoxes(stage, model, iterations) {
  const {count, held, firstPiece, begin, end, arena, offset, bytes} = stage;
  const [from, to] = [0, 0].map(() => new Int32Array(count));
  const [low, high] = [0, 0].map(() => new Float64Array(count));
  const bases = Float64Array.from(stage.arenas, a => a.base);
  let last = 0;
  for (let b = 0; b < count; b++) {
    from[b] = begin[firstPiece[b]];
    to[b] = held ? model.endPoint : end[firstPiece[b + 1] - 1];
    last = Math.max(last, to[b]);
    low[b] = bases[arena[b]] + offset[b];
    high[b] = low[b] + bytes[b];
  }
  // While a stage is new, nobody has asked for a picture but the first one.
  Object.assign(stage, {from, to, low, high, last, index: null, isNew: true});
  moveBoxes(stage, iterations);
}

// The index of the boxes that loops do not move, made when it is first asked for.
function indexOf(stage) {
  if (!stage.index) {
    const still = new Int32Array(stage.count - stage.views.size);
    for (let b = 0, i = 0; b < stage.count; b++) {
      if (!stage.views.has(b)) {
        still[i++] = b;
      }
    }
    stage.index = new BoxIndex(still, stage.from, stage.to, stage.low, stage.high);
  }
  return stage.index;
}

// Puts the boxes that loops move where they are when the loops have iterated so often.
function moveBoxes(stage, iterations) {
  for (const [b, view] of stage.views) {
    stage.low[b] = stage.arenas[stage.arena[b]].base + offsetOfView(view, iterations);
    stage.high[b] = stage.low[b] + stage.bytes[b];
  }
}

// Writes the boxes of a stage in a window into an array, moved ones included; returns their number.
// A look at each box is faster than the index if the window has much of the time, and than making it.
function collectBoxes(stage, x0, x1, y0, y1, found) {
  const {from, to, low, high, count} = stage;
  let at = 0;
  if ((x1 - x0) * 8 >= stage.last || (!stage.index && stage.isNew)) {
    for (let b = 0; b < count; b++) {
      if (from[b] < x1 && to[b] > x0 && low[b] < y1 && high[b] > y0) {
        found[at++] = b;
      }
    }
    return at;
  }
  at = indexOf(stage).collect(x0, x1, y0, y1, found, at);
  for (const b of stage.views.keys()) {
    if (from[b] < x1 && to[b] > x0 && low[b] < y1 && high[b] > y0) {
      found[at++] = b;
    }
  }
  return at;
}

// Calls visit(box) for each box of a stage in a window.
function boxesIn(stage, x0, x1, y0, y1, visit) {
  stage.found = stage.found || new Int32Array(stage.count);
  const count = collectBoxes(stage, x0, x1, y0, y1, stage.found);
  for (let i = 0; i < count; i++) {
    visit(stage.found[i]);
  }
}
