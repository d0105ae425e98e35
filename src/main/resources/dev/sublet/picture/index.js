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

  // Calls visit(box) for each box that meets the window.
  query(x0, x1, y0, y1, visit) {
    const top = this.levels[0].length / 4;
    for (let node = 0; node < top; node++) {
      this.descend(0, node, x0, x1, y0, y1, visit);
    }
  }

  descend(level, node, x0, x1, y0, y1, visit) {
    const nodes = this.levels[level];
    const i = 4 * node;
    if (nodes[i] >= x1 || nodes[i + 1] <= x0 || nodes[i + 2] >= y1 || nodes[i + 3] <= y0) {
      return;
    }
    if (level + 1 < this.levels.length) {
      const end = Math.min(this.levels[level + 1].length / 4, (node + 1) * FANOUT);
      for (let child = node * FANOUT; child < end; child++) {
        this.descend(level + 1, child, x0, x1, y0, y1, visit);
      }
      return;
    }
    const end = Math.min(this.order.length, (node + 1) * FANOUT);
    for (let k = node * FANOUT; k < end; k++) {
      const b = this.order[k];
      if (this.x0[b] < x1 && this.x1[b] > x0 && this.y0[b] < y1 && this.y1[b] > y0) {
        visit(b);
      }
    }
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
  stage.from = new Float64Array(stage.count);
  stage.to = new Float64Array(stage.count);
  stage.low = new Float64Array(stage.count);
  stage.high = new Float64Array(stage.count);
  stage.index = null;
  stage.last = 0;
  for (let b = 0; b < stage.count; b++) {
    stage.from[b] = boxBegin(stage, b);
    stage.to[b] = boxEnd(stage, b, model);
    stage.last = Math.max(stage.last, stage.to[b]);
    stage.low[b] = stage.arenas[stage.arena[b]].base + stage.offset[b];
    stage.high[b] = stage.low[b] + stage.bytes[b];
  }
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

// Calls visit(box) for each box of a stage in a window, moved ones included. A look at each box is
// faster than the index if the window has much of the time.
function boxesIn(stage, x0, x1, y0, y1, visit) {
  const {from, to, low, high, count} = stage;
  if ((x1 - x0) * 8 >= stage.last) {
    for (let b = 0; b < count; b++) {
      if (from[b] < x1 && to[b] > x0 && low[b] < y1 && high[b] > y0) {
        visit(b);
      }
    }
    return;
  }
  indexOf(stage).query(x0, x1, y0, y1, visit);
  for (const b of stage.views.keys()) {
    if (from[b] < x1 && to[b] > x0 && low[b] < y1 && high[b] > y0) {
      visit(b);
    }
  }
}
