// What a color means. A mode gives each variable a class and each class a color and a label: the
// family of the operator that writes it, its kind, its layer, its source file, its size, its name.

const OTHER = 8;
const FAMILIES = [
  ['feed', /^feed$/],
  ['gradient', /grad/i],
  ['matrix product', /matmul|^mul$|gemm|^fc$|bmm|einsum|attention|lstm|gru|rnn/i],
  ['convolution', /conv/i],
  ['normalization', /norm/i],
  ['pooling, resizing', /pool|interp|resize|upsample/i],
  ['moving data', /reshape|transpose|concat|split|slice|gather|squeeze|flatten|pad|expand|tile|stack|scatter|shape|lookup|array|shuffle/i],
  ['elementwise', /^elementwise|relu|swish|sigmoid|gelu|tanh|softmax|mish|elu$|^hard|silu|softplus|erf|^(add|sub|mul|div|pow|sum|scale|sqrt|exp|cast|clip|min|max|where|neg|dropout|assign|increment|fill)|equal|less|greater|logical/i],
];
const KINDS = ['feed', 'gradient', 'result', 'loop-carried', 'array', 'never read', 'in-place workspace', 'activation'];
const CHANGES = ['gone', 'grown', 'new', 'shrunk', 'live at other points', '', 'moved', '', 'same'];
// The least share of the largest variable's bytes of each class of sizes.
const SIZES = [1 / 2, 1 / 4, 1 / 16, 1 / 256, 0];
const LAYERS = 8;
const NAMES = 12;

class Colors {
  constructor(model) {
    this.model = model;
    this.classes = new Uint8Array(model.variableCount);
    this.bytes = largestBytes(model);
    this.modes = modesOf(model);
    this.setMode(this.modes[0][0]);
  }

  setMode(mode) {
    this.mode = mode;
    this.legend = [];
    this[mode]();
  }

  // Gives each variable the class that of(variable) says, and lists the classes that occur.
  classify(labels, of) {
    const found = [];
    for (let v = 0; v < this.classes.length; v++) {
      this.classes[v] = of(v);
      if (this.bytes[v] > 0) {
        found[this.classes[v]] = true;
      }
    }
    this.legend = labels.map((label, index) => ({label, index})).filter(({index}) => found[index]);
  }

  family() {
    const {model} = this;
    const known = new Map();
    this.classify([...FAMILIES.map(family => family[0]), 'other'], v => {
      const writer = model.kind(v) === 'feed' ? 'feed' : writerOf(model, v);
      if (!known.has(writer)) {
        const found = FAMILIES.findIndex(family => family[1].test(writer));
        known.set(writer, found < 0 ? OTHER : found);
      }
      return known.get(writer);
    });
  }

  kind() {
    const words = this.model.comparison ? CHANGES : KINDS;
    this.classify([...words, 'other'], v => {
      const found = words.indexOf(this.model.kind(v));
      return found < 0 ? OTHER : found;
    });
  }

  layer() {
    this.groups(layerNames(this.model), 'other layers');
  }

  source() {
    this.groups(v => fileOf(this.model.position(v)), 'other files');
  }

  // The groups with the most bytes have a color each, the others one together.
  groups(nameOf, rest) {
    const sums = new Map();
    for (let v = 0; v < this.bytes.length; v++) {
      const name = nameOf(v);
      sums.set(name, (sums.get(name) || 0) + this.bytes[v]);
    }
    sums.delete('');
    const largest = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a) || (a < b ? -1 : 1)).slice(0, LAYERS);
    const index = new Map(largest.map((name, i) => [name, i]));
    const labels = Array.from({length: LAYERS}, (_, i) => largest[i] || '');
    this.classify([...labels, rest], v => (index.has(nameOf(v)) ? index.get(nameOf(v)) : OTHER));
  }

  size() {
    let largest = 1;
    this.bytes.forEach(bytes => {
      largest = Math.max(largest, bytes);
    });
    const least = SIZES.map(share => Math.ceil(share * largest));
    const labels = least.map((bytes, i) => (i + 1 < least.length ? 'from ' + tickBytes(bytes) : 'less'));
    this.classify(labels, v => {
      let size = 0;
      while (this.bytes[v] < least[size]) {
        size++;
      }
      return size;
    });
  }

  name() {
    const {holder} = this.model;
    this.classes = Uint8Array.from(holder, v => v % NAMES);
    this.legend = [];
  }
}

// The modes of a page, the first one first: those for which there is something to tell apart.
function modesOf(model) {
  if (model.comparison) {
    return [['kind', 'change'], ['layer', 'layer'], ['size', 'size']];
  }
  const modes = [['size', 'size'], ['name', model.sharesNames ? 'shared name' : 'name']];
  if (model.hasPositions) {
    modes.unshift(['source', 'source file']);
  }
  if (model.pointsPerStep > 1) {
    modes.unshift(['layer', 'layer']);
  }
  if (model.hasKinds) {
    modes.unshift(['kind', 'kind']);
  }
  if (model.hasOperators) {
    modes.unshift(['family', 'operator family']);
  }
  return modes;
}

// The most bytes that each variable has in the plan, or before if it is not there.
function largestBytes(model) {
  const bytes = new Float64Array(model.variableCount);
  for (const stage of model.stages) {
    const {count, variable, bytes: own} = stage;
    for (let b = 0; b < count; b++) {
      bytes[variable[b]] = Math.max(bytes[variable[b]], own[b]);
    }
  }
  return bytes;
}

// The type of the operator that is the first to write a variable; empty if none is known.
function writerOf(model, variable) {
  for (const stage of model.stages) {
    const boxes = stage.boxesOf(variable);
    if (boxes.length) {
      return model.stepLabel(Math.floor(boxBegin(stage, boxes[0]) / model.pointsPerStep));
    }
  }
  return '';
}

// The last part of a path with a line: lcnet.py of "models/lcnet.py:88".
function fileOf(position) {
  return shortPosition(position).replace(/:\d+$/, '');
}

function shortPosition(position) {
  return position.replace(/^.*[\/\\]/, '');
}

// The layer of each variable: of paths such as /net/block.0/conv/out the fewest leading parts that
// give several layers; of conv2d_3.tmp_0 what is before the dot.
function layerNames(model) {
  const parts = v => model.name(v).split('/').filter(part => part);
  let depth = 1;
  for (; depth < 4; depth++) {
    const layers = new Set();
    for (let v = 0; v < model.variableCount && layers.size < 4; v++) {
      const path = parts(v);
      path.length > depth && layers.add(path.slice(0, depth).join('/'));
    }
    if (layers.size >= 3) {
      break;
    }
  }
  return v => {
    const path = parts(v);
    return path.length > 1 ? path.slice(0, Math.min(depth, path.length - 1)).join('/') : model.name(v).split('.')[0];
  };
}
