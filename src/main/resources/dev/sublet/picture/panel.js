// The words beside the picture. All text from the data goes in as text, never as markup.

// How many rows a list shows, and how many more each time that somebody asks.
const FIRST_ROWS = 60;
const FURTHER_ROWS = 2000;

function element(name, properties, ...children) {
  const node = document.createElement(name);
  Object.assign(node, properties || {});
  node.append(...children);
  return node;
}

class Panel {
  // select(variable) and goTo(step) are called when someone clicks a name or an operator.
  constructor(node, model, painter, select) {
    this.node = node;
    this.model = model;
    this.painter = painter;
    this.select = select;
  }

  replace(...children) {
    this.node.replaceChildren(...children);
    this.node.scrollTop = 0;
  }

  link(variable) {
    const color = this.painter.colors[this.painter.colorOf(variable)];
    const swatch = element('span', {className: 'swatch'});
    swatch.style.background = cssColor(color);
    const button = element('button', {className: 'link', textContent: this.model.name(variable)});
    button.addEventListener('click', () => this.select(variable));
    return element('span', null, swatch, button);
  }

  list(variables, words) {
    return this.rows(variables.length, i => {
      const item = element('li', null, this.link(variables[i]));
      if (words && words(variables[i])) {
        item.append(element('span', {className: 'quiet', textContent: '  ' + words(variables[i])}));
      }
      return item;
    });
  }

  // A list of the first rows, and a button that appends further ones.
  rows(count, row) {
    const list = element('ul');
    const extend = (from, to) => {
      for (let i = from; i < to; i++) {
        list.append(row(i));
      }
      if (to < count) {
        const next = Math.min(count, to + FURTHER_ROWS);
        const words = next === count ? 'show all' : 'show ' + grouped(next - to);
        const button = element('button', {className: 'link', textContent: words});
        const item = element('li', {className: 'quiet'}, 'and ' + grouped(count - to) + ' more: ', button);
        button.addEventListener('click', () => {
          item.remove();
          extend(to, next);
          // The keyboard goes on where the button was.
          list.children[to].querySelector('button').focus({preventScroll: true});
        });
        list.append(item);
      }
    };
    extend(0, Math.min(count, FIRST_ROWS));
    return list;
  }

  facts(pairs) {
    const list = element('dl');
    for (const [name, value] of pairs) {
      list.append(element('dt', {textContent: name}), element('dd', {textContent: value}));
    }
    return list;
  }

  // When nothing is selected: what the picture shows, and the largest variables.
  showOverview() {
    const {model} = this;
    const [before, after] = model.stages;
    const sizes = new Float64Array(model.variableCount);
    for (let b = 0; b < after.count; b++) {
      sizes[after.variable[b]] = Math.max(sizes[after.variable[b]], after.bytes[b]);
    }
    const largest = [...sizes.keys()].filter(v => sizes[v] > 0);
    largest.sort((a, b) => sizes[b] - sizes[a] || a - b);
    const unplanned = new Map();
    for (let v = 0; v < model.variableCount; v++) {
      const reason = model.notes(v).split(';')[0];
      if (reason.startsWith('not planned: ')) {
        if (!unplanned.has(reason)) {
          unplanned.set(reason, []);
        }
        unplanned.get(reason).push(v);
      }
    }
    const pairs = [
      [model.pointsPerStep === 1 ? 'times' : 'operators', grouped(model.operatorCount)],
      ['before', exactBytes(before.bytesOnce) + stepBytes(before)],
      ['after', exactBytes(after.bytesOnce) + stepBytes(after)],
    ];
    if (after.lowerBound > 0) {
      pairs.push(['lower bound', exactBytes(after.lowerBound)]);
    }
    pairs.push(['boxes', grouped(before.count) + ' before, ' + grouped(after.count) + ' after']);
    this.replace(
        element('h2', {textContent: 'What is shown'}),
        element('p', null, element('b', {textContent: 'Before. '}), before.meaning),
        element('p', null, element('b', {textContent: 'After. '}), after.meaning),
        element('p', {className: 'quiet', textContent: 'Both have one scale of bytes. '
            + (model.stages[0].count && model.holder.some((h, v) => h !== v) ? 'Variables that share a name have one color. ' : '')
            + (model.pointsPerStep === 1 ? 'Click a box or a time, or find a name.' : 'Click a box or an operator, or find a name.')}),
        this.facts(pairs),
        element('h3', {textContent: 'Largest after'}),
        this.list(largest.slice(0, 25), v => shortBytes(sizes[v])),
        ...[...unplanned].flatMap(([reason, variables]) => [
          element('h3', {textContent: grouped(variables.length) + ' ' + reason}), this.list(variables),
        ]));
  }

  showVariable(variable, boxes) {
    const {model} = this;
    const parts = [element('h2', {textContent: model.name(variable)})];
    const pairs = [];
    if (model.block(variable) >= 0) {
      pairs.push(['block', String(model.block(variable))]);
    }
    if (model.type(variable)) {
      pairs.push(['declared', model.type(variable)]);
    }
    const before = model.stages[0];
    for (const b of before.boxesOf(variable)) {
      pairs.push(['bytes', exactBytes(before.bytes[b])]);
      pairs.push(['live', this.times(before, b)]);
    }
    parts.push(this.facts(pairs));
    if (model.notes(variable)) {
      parts.push(element('h3', {textContent: 'Left alone'}), element('p', {textContent: model.notes(variable)}));
    }
    parts.push(...this.name(variable));
    for (const b of boxes) {
      parts.push(...this.place(b));
    }
    parts.push(...this.links(variable));
    parts.push(...this.sharers(variable, boxes));
    this.replace(...parts);
  }

  times(stage, b) {
    const {model} = this;
    const words = [];
    for (let p = stage.firstPiece[b]; p < stage.firstPiece[b + 1] && words.length < 20; p++) {
      const from = describePoint(model, stage.begin[p]);
      const to = describePoint(model, stage.end[p] - 1);
      words.push(from === to ? from : from + ' – ' + to);
    }
    const rest = stage.firstPiece[b + 1] - stage.firstPiece[b] - words.length;
    return words.join(', ') + (rest > 0 ? ', and ' + rest + ' more times' : '');
  }

  // Who has the same name after.
  name(variable) {
    const {model} = this;
    const holder = model.holder[variable];
    const others = [...model.members(holder)].filter(v => v !== variable);
    if (!others.length) {
      return [];
    }
    return [
      element('h3', {textContent: 'Shares the name ' + model.name(holder)}),
      this.list(others, v => this.bytesOf(v)),
    ];
  }

  bytesOf(variable) {
    const before = this.model.stages[0];
    const boxes = before.boxesOf(variable);
    return boxes.length ? shortBytes(before.bytes[boxes[0]]) : '';
  }

  // Where a box is after.
  place(b) {
    const after = this.model.stages[1];
    const arena = after.arenas[after.arena[b]];
    const offset = after.low[b] - arena.base;
    const pairs = [
      ['offset', grouped(offset) + (after.views.has(b) ? ' in this iteration' : '')],
      ['bytes', exactBytes(after.bytes[b])],
      ['when', this.times(after, b)],
    ];
    if (after.arenas.length > 1) {
      pairs.unshift(['arena', arena.label]);
    }
    if (after.views.has(b)) {
      pairs.push(['views', viewWords(after.views.get(b))]);
    }
    return [element('h3', {textContent: 'After'}), this.facts(pairs)];
  }

  // What it has the same bytes as on purpose.
  links(variable) {
    const {model} = this;
    const holder = model.holder[variable];
    const rows = [];
    const kinds = {in_place: 'in place', exclusive: 'other branch', runtime: 'the operator shares', view: 'view'};
    const shown = new Set();
    for (const link of model.links) {
      const other = link.variable === holder ? link.of : link.variable;
      if ((link.variable === holder) !== (link.of === holder) && !shown.has(other + link.kind)) {
        shown.add(other + link.kind);
        const words = element('span', {className: 'quiet', textContent: '  ' + (kinds[link.kind] || link.kind)});
        rows.push(element('li', null, this.link(other), words));
      }
    }
    const shared = model.members(holder).length > 1 ? ', as ' + model.name(holder) : '';
    return rows.length ? [element('h3', {textContent: 'Same bytes on purpose' + shared}), element('ul', null, ...rows)] : [];
  }

  // Who is in some of the same bytes after, the nearest in time first.
  sharers(variable, boxes) {
    if (!boxes.length) {
      return [];
    }
    const {model} = this;
    const after = model.stages[1];
    const places = new Set();
    for (const box of boxes) {
      boxesIn(after, 0, model.endPoint, after.low[box], after.high[box], b => places.add(b));
    }
    const others = new Map();
    for (const b of places) {
      for (const tenant of new Set(tenantsOf(model, b))) {
        others.set(tenant, (others.get(tenant) || []).concat(b));
      }
    }
    others.delete(variable);
    const own = usesOf(model, variable, boxes);
    const uses = [];
    others.forEach((at, other) => uses.push(...usesOf(model, other, at)));
    uses.forEach(use => setGap(use, own));
    uses.sort((a, b) => a.gap - b.gap || a.from - b.from || a.variable - b.variable);
    const title = uses.length === 0 ? 'Nothing else uses these bytes'
        : 'Bytes also used by ' + grouped(others.size)
            + (uses.length > others.size ? ', ' + grouped(uses.length) + ' times' : '');
    return [element('h3', {textContent: title}), this.rows(uses.length, i => this.use(uses[i]))];
  }

  use({variable, from, to, isEarlier}) {
    const words = isEarlier ? 'until ' + describePoint(this.model, to - 1) : 'from ' + describePoint(this.model, from);
    return element('li', null, this.link(variable), element('span', {className: 'quiet', textContent: '  ' + words}));
  }

  // What is live at a step after.
  showStep(step) {
    const {model} = this;
    const after = model.stages[1];
    const begin = step * model.pointsPerStep;
    const sizes = new Map();
    boxesIn(after, begin, begin + model.pointsPerStep, -1, Infinity, b => {
      for (let point = begin; point < begin + model.pointsPerStep; point++) {
        if (pieceAt(after, b, point) >= 0) {
          sizes.set(after.variable[b], after.bytes[b]);
        }
      }
    });
    const live = [...sizes.keys()].sort((a, b) => sizes.get(b) - sizes.get(a) || a - b);
    const flags = model.stepFlags[step];
    const notes = [
      flags & 2 ? 'A copy to where the bytes already are: it need not run.' : '',
      flags & 4 ? 'The rewritten program does without it.' : '',
      flags & 8 ? 'Only the rewritten program has it.' : '',
    ].filter(note => note);
    this.replace(
        element('h2', {textContent: describePoint(model, begin)}),
        element('p', {className: 'quiet', textContent: model.stepPlace(step)}),
        ...notes.map(note => element('p', {textContent: note})),
        element('h3', {textContent: 'Live after: ' + grouped(live.length)}),
        this.list(live, v => shortBytes(sizes.get(v))));
  }
}

// Where loops move a box: offsets in turn, as in 3[0 64].
function viewWords(view) {
  if (!Array.isArray(view)) {
    return grouped(view);
  }
  const first = view[1] === null ? '' : 'first ' + viewWords(view[1]) + ', then ';
  return first + view[2].map(viewWords).join(', ') + ' in turn by the iterations of block ' + view[0];
}

// When a variable is in boxes after: the stretches of its life before that meet theirs; all of
// theirs if there are none.
function usesOf(model, variable, boxes) {
  const [before, after] = model.stages;
  const own = [...before.boxesOf(variable)].flatMap(b => stretchesOf(before, b));
  const theirs = boxes.flatMap(b => stretchesOf(after, b));
  const met = own.filter(use => theirs.some(other => use.from < other.to && other.from < use.to));
  return (met.length ? met : theirs).map(use => ({variable, from: use.from, to: use.to, gap: Infinity, isEarlier: false}));
}

// When a box is live, pieces that follow each other at once as one.
function stretchesOf(stage, b) {
  const stretches = [];
  for (let p = stage.firstPiece[b]; p < stage.firstPiece[b + 1]; p++) {
    const last = stretches[stretches.length - 1];
    if (last && last.to === stage.begin[p]) {
      last.to = stage.end[p];
    } else {
      stretches.push({from: stage.begin[p], to: stage.end[p]});
    }
  }
  return stretches;
}

// Sets how far in time a use is from the nearest of some others, and whether it begins before it.
function setGap(use, others) {
  for (const other of others) {
    const gap = Math.max(0, use.from - other.to, other.from - use.to);
    if (gap < use.gap) {
      use.gap = gap;
      use.isEarlier = use.from < other.from;
    }
  }
}
