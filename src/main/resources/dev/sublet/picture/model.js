// The data of the page as typed arrays. A stage is a column store: box b has variable[b], arena[b],
// offset[b], bytes[b], and the pieces firstPiece[b] to firstPiece[b + 1] - 1, each live from begin
// on and before end, all of its bytes or those of a window. Bytes are doubles: exact to 2^53.

// Numbers as they are written: [n, d] stands for n numbers that each exceed the one before by d.
function column(numbers, Type) {
  let length = numbers.length;
  for (let k = 0; k < numbers.length; k++) {
    length += typeof numbers[k] === 'number' ? 0 : numbers[k][0] - 1;
  }
  if (length === numbers.length) {
    return new Type(numbers);
  }
  const result = new Type(length);
  let at = 0;
  for (let k = 0; k < numbers.length; k++) {
    const number = numbers[k];
    if (typeof number === 'number') {
      result[at++] = number;
    } else {
      ascend(result, at, at + number[0], number[1]);
      at += number[0];
    }
  }
  return result;
}

// Fills a part of an array with numbers that each exceed the one before by as much.
function ascend(numbers, from, to, by) {
  let last = from > 0 ? numbers[from - 1] : 0;
  if (by === 0) {
    numbers.fill(last, from, to);
    return;
  }
  for (let i = from; i < to; i++) {
    numbers[i] = last += by;
  }
}

function readModel(data) {
  const strings = data.strings;
  const steps = Object.fromEntries(['label', 'place', 'flags'].map(key => [key, column(data.steps[key], Int32Array)]));
  const variables = Object.fromEntries(['name', 'block', 'holder', 'type', 'notes', 'kind', 'position', 'code']
      .map(key => [key, column(data.variables[key], Int32Array)]));
  // One text per variable; none at all if the array is empty.
  const texts = numbers => i => (numbers.length ? strings[numbers[i]] : '');
  const model = {
    title: data.title,
    pointsPerStep: data.pointsPerStep,
    stepCount: steps.label.length,
    endPoint: data.pointsPerStep * steps.label.length,
    stepLabel: i => strings[steps.label[i]],
    stepPlace: i => strings[steps.place[i]],
    stepFlags: steps.flags,
    // Neither exits nor what only the rewritten program has.
    operatorCount: steps.flags.filter(flags => (flags & 9) === 0).length,
    spans: data.spans.map(s => ({
      head: s[0], exit: s[1], block: s[2], label: strings[s[3]], isLoop: s[4] === 1, depth: s[5],
    })),
    variableCount: variables.name.length,
    name: i => strings[variables.name[i]],
    block: i => variables.block[i],
    type: texts(variables.type),
    notes: texts(variables.notes),
    kind: texts(variables.kind),
    position: texts(variables.position),
    code: texts(variables.code),
    hasKinds: variables.kind.length > 0,
    hasPositions: variables.position.length > 0,
    declared: new Float64Array(variables.name.length).fill(-1),
    // Two plans instead of a program before and after: their names, and what differs as a whole.
    comparison: data.comparison || null,
    holder: variables.holder,
    livePoints: column(data.live.points, Int32Array),
    liveBytes: column(data.live.bytes, Float64Array),
    links: [],
  };
  for (let i = 0; i < data.links.length; i += 3) {
    model.links.push({variable: data.links[i], of: data.links[i + 1], kind: strings[data.links[i + 2]]});
  }
  for (let i = 0; i < data.variables.declared.length; i += 2) {
    model.declared[data.variables.declared[i]] = data.variables.declared[i + 1];
  }
  // Whether the steps are operators of a known program, not only numbers.
  model.hasOperators = model.pointsPerStep > 1 && model.stepCount > 0 && model.stepPlace(0) !== '';
  model.peak = peakOf(model);
  model.sharesNames = model.holder.some((holder, v) => holder !== v);
  model.members = rowsBy(model.holder, model.variableCount);
  model.stages = [];
  for (const s of [1, 0]) {
    model.stages[s] = readStage(data.stages[s], model);
  }
  model.loops = loopsOf(model.stages[1]);
  return model;
}

function readStage(data, model) {
  const stage = {
    meaning: data.meaning,
    held: data.held === 1,
    arenas: data.arenas.map(a => ({label: a[0], bytes: a[1], lowerBound: a[2], isStep: a[3] === 1, base: 0})),
    views: new Map(data.views),
    windows: new Map(),
    // The variable of each piece; null if it is that of the box.
    tenant: null,
  };
  if (data.reordered) {
    reorderBoxes(stage, model);
  } else {
    readBoxes(stage, data);
  }
  if (!stage.offset.length) {
    stackBoxes(stage);
  }
  stackArenas(stage);
  stage.held && sumHeld(stage);
  stage.boxesOf = rowsBy(stage.variable, model.variableCount);
  return stage;
}

function readBoxes(stage, data) {
  stage.variable = column(data.variable, Int32Array);
  stage.count = stage.variable.length;
  stage.arena = column(data.arena, Int32Array);
  stage.offset = column(data.offset, Float64Array);
  stage.bytes = column(data.bytes, Float64Array);
  stage.tenant = data.tenant.length ? column(data.tenant, Int32Array) : null;
  const begin = column(data.begin, Int32Array);
  const end = column(data.length, Int32Array);
  for (let p = 0, last = 0; p < begin.length; p++) {
    last = begin[p] += last;
    end[p] += last;
  }
  const firstPiece = new Int32Array(stage.count + 1);
  const pieceCounts = column(data.pieceCounts, Int32Array);
  for (let b = 0, pieces = 0; b < stage.count; b++) {
    pieces += pieceCounts[b];
    firstPiece[b + 1] = pieces;
  }
  Object.assign(stage, {begin, end, firstPiece});
  for (let i = 0; i < data.windows.length; i += 3) {
    stage.windows.set(data.windows[i], {low: data.windows[i + 1], high: data.windows[i + 2]});
  }
}

// Gives the stage before the boxes of the stage after, ordered by their begin.
function reorderBoxes(stage, model) {
  const after = model.stages[1];
  const {count} = after;
  const starts = new Int32Array(model.endPoint + 2);
  for (let b = 0; b < count; b++) {
    starts[boxBegin(after, b) + 1]++;
  }
  for (let point = 0; point <= model.endPoint; point++) {
    starts[point + 1] += starts[point];
  }
  const order = new Int32Array(count);
  for (let b = 0; b < count; b++) {
    order[starts[boxBegin(after, b)]++] = b;
  }
  const [variable, arena, firstPiece] = [count, count, count + 1].map(length => new Int32Array(length));
  const bytes = new Float64Array(count);
  const [begin, end] = [after.begin, after.end].map(points => new Int32Array(points.length));
  for (let i = 0, piece = 0; i < count; i++) {
    const b = order[i];
    variable[i] = after.variable[b];
    arena[i] = after.arena[b];
    bytes[i] = after.bytes[b];
    for (let p = after.firstPiece[b]; p < after.firstPiece[b + 1]; p++, piece++) {
      begin[piece] = after.begin[p];
      end[piece] = after.end[p];
      after.windows.size && after.windows.has(p) && stage.windows.set(piece, after.windows.get(p));
    }
    firstPiece[i + 1] = piece;
  }
  Object.assign(stage, {count, variable, arena, bytes, firstPiece, begin, end, offset: []});
}

// Each box lies on the one before it in its arena.
function stackBoxes(stage) {
  const {arena, bytes, count} = stage;
  const tops = new Float64Array(stage.arenas.length);
  stage.offset = new Float64Array(count);
  for (let b = 0; b < count; b++) {
    stage.offset[b] = tops[arena[b]];
    tops[arena[b]] += bytes[b];
  }
}

// The bytes held over time, for the silhouette: heldBytes[i] from heldPoints[i] on.
function sumHeld(stage) {
  const {count, firstPiece, begin, arena, bytes} = stage;
  const heldPoints = new Int32Array(count);
  const heldBytes = new Float64Array(count);
  const counts = stage.arenas.map(a => (a.isStep ? 0 : 1));
  let order = null;
  for (let b = 0; b < count; b++) {
    heldPoints[b] = begin[firstPiece[b]];
    if (!order && b > 0 && heldPoints[b - 1] > heldPoints[b]) {
      order = Int32Array.from({length: count}, (_, i) => i);
    }
  }
  if (order) {
    const begins = heldPoints.slice();
    order.sort((a, b) => begins[a] - begins[b] || a - b);
    heldPoints.sort();
  }
  for (let i = 0, sum = 0; i < count; i++) {
    const b = order ? order[i] : i;
    sum += counts[arena[b]] * bytes[b];
    heldBytes[i] = sum;
  }
  Object.assign(stage, {heldPoints, heldBytes});
}

// The value of a step function at a point; 0 before its first point.
function valueAt(points, values, point) {
  const i = upperBound(points, point) - 1;
  return i < 0 ? 0 : values[i];
}

function liveBytesAt(model, point) {
  return valueAt(model.livePoints, model.liveBytes, point);
}

// The point of a step at which more bytes are live.
function pointOfStep(model, step) {
  const begin = step * model.pointsPerStep;
  let best = begin;
  for (let point = begin + 1; point < begin + model.pointsPerStep; point++) {
    if (liveBytesAt(model, point) > liveBytesAt(model, best)) {
      best = point;
    }
  }
  return best;
}

// The step with the most live bytes; 0 if nothing is ever live.
function peakStep(model) {
  return model.peak < 0 ? 0 : Math.floor(model.livePoints[model.peak] / model.pointsPerStep);
}

// Arenas lie above each other, a little apart.
function stackArenas(stage) {
  let sum = 0;
  stage.bytesOnce = 0;
  stage.lowerBound = 0;
  for (const arena of stage.arenas) {
    sum += arena.bytes;
    if (!arena.isStep) {
      stage.bytesOnce += arena.bytes;
      stage.lowerBound += arena.lowerBound;
    }
  }
  let base = 0;
  for (const arena of stage.arenas) {
    arena.base = base;
    base += arena.bytes + sum * 0.02;
  }
  stage.height = Math.max(1, base - (stage.arenas.length ? sum * 0.02 : 0));
}

// Rows of indices by a key: row(k) is an array view of the indices whose key is k, ascending.
function rowsBy(keys, keyCount) {
  const starts = new Int32Array(keyCount + 1);
  let isOwn = keys.length === keyCount;
  for (let i = 0; i < keys.length; i++) {
    starts[keys[i]]++;
    isOwn = isOwn && keys[i] === i;
  }
  if (isOwn) {
    return k => keys.subarray(k, k + 1);
  }
  for (let k = 1; k <= keyCount; k++) {
    starts[k] += starts[k - 1];
  }
  // From the last one to the first one, so that starts[k] ends where the row of k starts.
  const order = new Int32Array(keys.length);
  for (let i = keys.length - 1; i >= 0; i--) {
    order[--starts[keys[i]]] = i;
  }
  return k => order.subarray(starts[k], starts[k + 1]);
}

// The blocks of the loops that move boxes, ascending.
function loopsOf(stage) {
  const blocks = new Set();
  const visit = view => {
    if (Array.isArray(view)) {
      blocks.add(view[0]);
      if (view[1] !== null) {
        visit(view[1]);
      }
      view[2].forEach(visit);
    }
  };
  stage.views.forEach(visit);
  return [...blocks].sort((a, b) => a - b);
}

// The offset that a view has when loops have iterated so often; see MultiView of plan.proto.
function offsetOfView(view, iterations) {
  while (Array.isArray(view)) {
    const n = iterations.get(view[0]) || 0;
    const cycle = view[2];
    if (view[1] === null) {
      view = cycle[n % cycle.length];
    } else {
      view = n === 0 ? view[1] : cycle[(n - 1) % cycle.length];
    }
  }
  return view;
}

// When a box begins to have bytes.
function boxBegin(stage, b) {
  return stage.begin[stage.firstPiece[b]];
}

// When it has no bytes any more.
function boxEnd(stage, b, model) {
  return stage.held ? model.endPoint : stage.end[stage.firstPiece[b + 1] - 1];
}

// The first piece of a box that ends after a point; the end of its pieces if no piece does.
function pieceBehind(stage, b, point) {
  let low = stage.firstPiece[b];
  let high = stage.firstPiece[b + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stage.end[middle] <= point) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The piece of a box that is live at a point, or -1.
function pieceAt(stage, b, point) {
  const p = pieceBehind(stage, b, point);
  return p < stage.firstPiece[b + 1] && stage.begin[p] <= point ? p : -1;
}

// Whether a box is live at some point between two.
function isLiveIn(stage, b, from, to) {
  const p = pieceBehind(stage, b, from);
  return p < stage.firstPiece[b + 1] && stage.begin[p] < to;
}

// Calls visit(piece) for the pieces of a box that are live between two points.
function piecesIn(stage, b, from, to, visit) {
  for (let p = pieceBehind(stage, b, from); p < stage.firstPiece[b + 1] && stage.begin[p] < to; p++) {
    visit(p);
  }
}

// The variable of a piece of a box.
function variableOf(stage, b, p) {
  return stage.tenant ? stage.tenant[p] : stage.variable[b];
}

// The variables that a box holds at some time, each once.
function variablesOf(stage, b) {
  const {tenant, firstPiece} = stage;
  const [first, end] = [firstPiece[b], firstPiece[b + 1]];
  return tenant && end - first > 1 ? new Set(tenant.subarray(first, end)) : [variableOf(stage, b, first)];
}

function piecesMeet(stage, a, other, b) {
  let p = stage.firstPiece[a];
  let q = other.firstPiece[b];
  while (p < stage.firstPiece[a + 1] && q < other.firstPiece[b + 1]) {
    if (stage.begin[p] < other.end[q] && other.begin[q] < stage.end[p]) {
      return true;
    }
    if (stage.end[p] <= other.end[q]) {
      p++;
    } else {
      q++;
    }
  }
  return false;
}

// The index of the earliest of the points with the most live bytes, or -1 if nothing is ever live.
function peakOf(model) {
  let peak = model.livePoints.length ? 0 : -1;
  for (let i = 1; i < model.livePoints.length; i++) {
    if (model.liveBytes[i] > model.liveBytes[peak]) {
      peak = i;
    }
  }
  return peak >= 0 && model.liveBytes[peak] > 0 ? peak : -1;
}

// How many of some ascending numbers are not above one.
function upperBound(numbers, value) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];

// Bytes in the largest fitting unit.
function shortBytes(bytes) {
  if (bytes < 1024) {
    return grouped(bytes) + ' B';
  }
  let unit = -1;
  while (bytes >= 1023.995) {
    bytes /= 1024;
    unit++;
  }
  return bytes.toFixed(2) + ' ' + UNITS[Math.max(0, unit)];
}

// Bytes of a scale whose marks are some bytes apart: in the unit of these if two decimals of a larger
// one could not tell two marks apart.
function markBytes(bytes, step) {
  const [unit, largest] = [step, Math.max(1, bytes)].map(n => Math.min(UNITS.length, Math.floor(Math.log2(n) / 10)));
  return step * 100 >= 1024 ** largest ? tickBytes(bytes)
      : grouped(bytes / 1024 ** unit) + ' ' + (unit > 0 ? UNITS[unit - 1] : 'B');
}

// Bytes of a scale: without decimals that are all 0.
function tickBytes(bytes) {
  return shortBytes(bytes).replace(/\.00 /, ' ').replace(/(\.\d)0 /, '$1 ');
}

// Exact bytes, and the unit; only the unit where a double is not exact.
function exactBytes(bytes) {
  if (!Number.isSafeInteger(bytes)) {
    return 'about ' + shortBytes(bytes);
  }
  const words = grouped(bytes) + (bytes === 1 ? ' byte' : ' bytes');
  return bytes < 1024 ? words : words + ' (' + shortBytes(bytes) + ')';
}

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

// What happens at a point: the operator, or the time.
function describePoint(model, point) {
  const step = Math.min(model.stepCount - 1, Math.floor(point / model.pointsPerStep));
  if (model.pointsPerStep === 1) {
    return 'time ' + model.stepLabel(step);
  }
  const end = model.stepFlags[step] & 1 ? 'end of ' : '';
  return '#' + step + ' ' + end + model.stepLabel(step);
}
