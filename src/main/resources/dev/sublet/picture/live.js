// The variables that are live at a point, ranked: what the peak consists of.

// The boxes of the plan that are live at a point, the largest first, as {box, variable, bytes, piece}.
function liveAt(model, point) {
  const after = model.stages[1];
  const rows = [];
  boxesIn(after, point, point + 1, -1, Infinity, box => {
    const piece = pieceAt(after, box, point);
    if (piece >= 0 && after.bytes[box] > 0) {
      const window = after.windows.get(piece);
      const bytes = window ? window.high - window.low : after.bytes[box];
      rows.push({box, bytes, variable: variableOf(after, box, piece), isStep: after.arenas[after.arena[box]].isStep});
    }
  });
  return rows.sort((a, b) => b.bytes - a.bytes || a.variable - b.variable || a.box - b.box);
}

// How many boxes of the first stage have bytes at a point, how many bytes, and how many of these are
// dead.
function heldAt(model, point) {
  const before = model.stages[0];
  if (before.isNew) {
    const held = {count: 0, bytes: 0, dead: 0};
    eachHeld(model, point, (box, isLive) => {
      held.count++;
      held.bytes += before.bytes[box];
      held.dead += isLive ? 0 : before.bytes[box];
    });
    return held;
  }
  const {count, bytes, live} = sumPoints(before, model.endPoint);
  return {count: count[point], bytes: bytes[point], dead: bytes[point] - live[point]};
}

// Of each point: the boxes of a stage that have bytes, their bytes, and those that are live. Made
// when it is first asked for.
function sumPoints(stage, endPoint) {
  if (stage.sums) {
    return stage.sums;
  }
  const {firstPiece, begin, end, bytes: own, held} = stage;
  const [count, bytes, live] = [0, 0, 0].map(() => new Float64Array(endPoint + 2));
  for (let b = 0; b < stage.count; b++) {
    for (let p = own[b] > 0 ? firstPiece[b] : firstPiece[b + 1]; p < firstPiece[b + 1]; p++) {
      live[begin[p]] += own[b];
      live[end[p]] -= own[b];
      if (!held || p === firstPiece[b]) {
        count[begin[p]]++;
        bytes[begin[p]] += own[b];
      }
      if (!held) {
        count[end[p]]--;
        bytes[end[p]] -= own[b];
      }
    }
  }
  for (let point = 1; point <= endPoint; point++) {
    count[point] += count[point - 1];
    bytes[point] += bytes[point - 1];
    live[point] += live[point - 1];
  }
  stage.sums = {count, bytes, live};
  return stage.sums;
}

// Calls visit(box, isLive) for the boxes of the first stage that have bytes at a point.
function eachHeld(model, point, visit) {
  const before = model.stages[0];
  for (let box = 0; box < before.count; box++) {
    const isLive = before.from[box] <= point && pieceAt(before, box, point) >= 0;
    if ((isLive || (before.held && before.from[box] <= point)) && before.bytes[box] > 0) {
      visit(box, isLive);
    }
  }
}

// How many rows the list shows while the slider moves, when it is made anew for each frame, and how
// many when the slider rests.
const SEEN_LIVE = 12;
const FIRST_LIVE = 24;

// How long the slider rests before rows that need scrolling are made, in milliseconds.
const REST = 150;

// All nodes are used again, with other words: the slider asks for a table with every frame.
class LiveTable {
  constructor(panel, model) {
    this.panel = panel;
    this.model = model;
    this.title = element('h2', {id: 'live-title'});
    this.summary = element('p', {className: 'quiet'});
    this.rows = {list: this.emptyList(), kept: []};
    this.stepRows = {list: this.emptyList(), kept: []};
    this.stepTitle = element('h3', {textContent: 'Beside these, in every iteration of a loop'});
    this.held = element('summary');
    this.before = element('details', {className: 'before'}, this.held);
    this.before.addEventListener('toggle', () => {
      if (this.before.open && this.before.children.length === 1) {
        this.before.append(this.heldList(this.point));
      }
    });
    this.point = -1;
    this.rest = 0;
  }

  emptyList() {
    const list = element('ul', {className: 'live'});
    list.setAttribute('aria-labelledby', 'live-title');
    return list;
  }

  // What is live at a step, as nodes for the panel; few rows while the slider moves.
  show(step, isMoving) {
    const {model} = this;
    clearTimeout(this.rest);
    if (isMoving) {
      this.rest = setTimeout(() => this.show(step, false), REST);
    }
    if (!model.stepCount) {
      write(this.title, 'Nothing is live');
      return [this.title];
    }
    const point = pointOfStep(model, step);
    const live = liveBytesAt(model, point);
    const peak = model.peak < 0 ? 0 : model.liveBytes[model.peak];
    const all = liveAt(model, point);
    const rows = all.filter(row => !row.isStep);
    const stepRows = all.filter(row => row.isStep);
    const isPeak = live === peak && peak > 0;
    const share = peak > 0 && !isPeak ? ', ' + percent(live, peak) + ' of the peak' : '';
    const sum = rows.reduce((total, row) => total + row.bytes, 0);
    write(this.title, (isPeak ? 'The peak: ' : 'Live: ') + shortBytes(live));
    write(this.summary, 'at ' + describePoint(model, point) + placeWords(model, step) + share
        + ', ' + grouped(rows.length) + (rows.length === 1 ? ' tensor' : ' tensors')
        + (sum > live ? '; some share their bytes' : ''));
    this.fillList(this.rows, rows, Math.max(1, live), isMoving);
    this.fillList(this.stepRows, stepRows, Math.max(1, live), isMoving);
    this.setBefore(point);
    return [
      this.title,
      this.summary,
      ...stepNotes(model, step).map(note => element('p', {textContent: note})),
      this.rows.list,
      ...(stepRows.length ? [this.stepTitle, this.stepRows.list] : []),
      this.before,
    ];
  }

  fillList({list, kept}, rows, whole, isMoving) {
    const row = i => {
      const nodes = kept[i] || this.nodes();
      if (i < FIRST_LIVE) {
        kept[i] = nodes;
      }
      return this.fill(nodes, rows[i], whole);
    };
    if (isMoving) {
      place(list, Array.from({length: Math.min(rows.length, SEEN_LIVE)}, (_, i) => row(i)));
    } else {
      this.panel.rows(rows.length, row, list, FIRST_LIVE);
    }
  }

  // The nodes of a row, without words.
  nodes() {
    const nodes = {
      link: new Link(this.panel),
      numbers: element('span', {className: 'numbers'}),
      bar: element('div', {className: 'bar'}),
      words: element('div', {className: 'quiet'}),
      source: element('div', {className: 'source'}),
    };
    nodes.item = element('li', null,
        element('div', {className: 'first'}, nodes.link.node, nodes.numbers), nodes.bar, nodes.words);
    return nodes;
  }

  fill(nodes, {variable, box, bytes}, whole) {
    const {model} = this;
    const {link, numbers, bar, words, source, item} = nodes;
    const {color} = link;
    link.show(variable);
    if (color !== link.color) {
      bar.style.background = link.color;
    }
    bar.style.width = Math.min(100, 100 * bytes / whole).toFixed(2) + '%';
    write(numbers, shortBytes(bytes) + '  ' + percent(bytes, whole));
    write(words, this.words(variable, box));
    const position = model.position(variable);
    if (position) {
      const code = model.code(variable);
      source.title = position;
      write(source, shortPosition(position) + (code ? ': ' + code : ''));
      source.parentNode || item.append(source);
    } else {
      source.remove();
    }
    return item;
  }

  // Kind, writer and last reader.
  words(variable, box) {
    const {model} = this;
    const kind = model.kind(variable);
    const words = (model.block(variable) > 0 ? ['block ' + model.block(variable)] : []).concat(kind || []);
    if (model.comparison) {
      const old = [...model.stages[0].boxesOf(variable)].reduce((most, b) => Math.max(most, model.stages[0].bytes[b]), 0);
      old && old !== model.stages[1].bytes[box] && words.push('was ' + shortBytes(old));
    }
    if (model.pointsPerStep === 1) {
      words.push(this.panel.liveWords(variable, box));
    } else {
      const {first, last} = lifeOf(model, variable, box);
      words.push((kind === 'feed' ? 'from ' : 'written by ') + describePoint(model, first));
      words.push(kind === 'feed' || kind === 'result'
          ? (last + 1 >= model.endPoint ? 'kept until the end' : 'last read by ' + describePoint(model, last))
          : 'last read by ' + describePoint(model, last));
    }
    return words.join(' · ');
  }

  // The same point before, or in the first plan: folded away, and listed when it is opened.
  setBefore(point) {
    const {model} = this;
    const {count, bytes, dead} = heldAt(model, point);
    write(this.held, model.comparison
        ? model.comparison.before + ' here: ' + shortBytes(bytes) + ' in ' + grouped(count)
        : 'Before: ' + shortBytes(bytes) + ' held by ' + grouped(count) + (dead ? ', ' + shortBytes(dead) + ' of it dead' : ''));
    this.point = point;
    if (this.before.open || this.before.children.length > 1) {
      this.before.open = false;
      this.before.replaceChildren(this.held);
    }
  }

  heldList(point) {
    const {model, panel} = this;
    const {bytes, variable} = model.stages[0];
    const rows = [];
    eachHeld(model, point, (box, isLive) => rows.push({box, isLive}));
    rows.sort((a, b) => bytes[b.box] - bytes[a.box] || variable[a.box] - variable[b.box]);
    return panel.rows(rows.length, i => element('li', null, panel.link(variable[rows[i].box]),
        element('span', {className: 'quiet', textContent: '  ' + shortBytes(bytes[rows[i].box]) + (rows[i].isLive ? '' : ', dead')})));
  }
}

// The first and the last point of a variable's life: before, or of its box in the plan.
function lifeOf(model, variable, box) {
  const before = model.stages[0];
  const own = model.comparison ? [] : before.boxesOf(variable);
  const stage = own.length ? before : model.stages[1];
  const b = own.length ? own[0] : box;
  return {first: boxBegin(stage, b), last: stage.end[stage.firstPiece[b + 1] - 1] - 1};
}

function placeWords(model, step) {
  const place = model.stepPlace(step);
  return place ? ' (' + place + ')' : '';
}

function stepNotes(model, step) {
  const flags = model.stepFlags[step];
  return [
    flags & 2 ? 'A copy to where the bytes already are: it need not run.' : '',
    flags & 4 ? 'The rewritten program does without it.' : '',
    flags & 8 ? 'Only the rewritten program has it.' : '',
  ].filter(note => note);
}

function percent(part, whole) {
  return whole ? (100 * part / whole).toFixed(1) + ' %' : '0 %';
}
