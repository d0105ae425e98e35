// The words beside the picture. All text from the data goes in as text, never as markup.

// The note of a parameter.
const PERSISTABLE = 'not planned: persistable';

// How many times at which a variable is live are written out.
const MOST_TIMES = 20;

// How many rows a list shows, and how many more each time that somebody asks.
const FIRST_ROWS = 60;
const FURTHER_ROWS = 2000;

function element(name, properties, ...children) {
  const node = document.createElement(name);
  Object.assign(node, properties || {});
  node.append(...children);
  return node;
}

// Sets the words of a node that has nothing but words; that is cheaper than new ones.
function write(node, words) {
  if (!node.firstChild) {
    node.textContent = words;
  } else if (node.firstChild.data !== words) {
    node.firstChild.data = words;
  }
}

// Gives a node its children. Those that it has already stay where they are: the browser would style and
// arrange anew whatever is moved, with all that is in it.
function place(node, children) {
  const kept = new Set(children);
  for (let old = node.firstElementChild; old;) {
    const next = old.nextElementSibling;
    kept.has(old) || old.remove();
    old = next;
  }
  let at = node.firstElementChild;
  for (const child of children) {
    if (child === at) {
      at = at.nextElementSibling;
    } else {
      node.insertBefore(child, at);
    }
  }
}

// The color and the name of a variable, which selects it. It can become that of another variable.
class Link {
  constructor(panel) {
    this.panel = panel;
    this.swatch = element('span', {className: 'swatch'});
    this.button = element('button', {className: 'link'});
    this.node = element('span', null, this.swatch, this.button);
    this.variable = -1;
    this.color = '';
    this.button.addEventListener('click', () => panel.select(this.variable));
  }

  show(variable) {
    const color = this.panel.colorOf(variable);
    this.variable = variable;
    if (this.color !== color) {
      this.color = color;
      this.swatch.style.background = color;
    }
    write(this.button, this.panel.model.name(variable));
  }
}

class Panel {
  // select(variable) and goTo(step) are called when someone clicks a name or an operator.
  constructor(node, model, painter, select) {
    this.node = node;
    this.model = model;
    this.painter = painter;
    this.select = select;
    this.live = new LiveTable(this, model);
    this.sharers = new Sharers(this, model);
    this.isScrolled = false;
    node.addEventListener('scroll', () => {
      this.isScrolled = node.scrollTop > 0;
    });
    this.wholeAt = -1;
    this.wholeNodes = [];
  }

  replace(...children) {
    // Only if it is needed: it waits for a layout.
    if (this.isScrolled) {
      this.node.scrollTop = 0;
    }
    place(this.node, children);
  }

  // The color of a variable, as on the canvas.
  colorOf(variable) {
    return this.painter.css[this.painter.palette.classes[variable]];
  }

  link(variable) {
    const link = new Link(this);
    link.show(variable);
    return link.node;
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

  // A list of the first rows, and a button that appends further ones. The list may have rows already.
  rows(count, row, list = element('ul'), first = FIRST_ROWS) {
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
    const shown = Math.min(count, first);
    place(list, Array.from({length: shown}, (_, i) => row(i)));
    extend(shown, shown);
    return list;
  }

  facts(pairs) {
    const list = element('dl');
    for (const [name, value] of pairs) {
      list.append(element('dt', {textContent: name}), element('dd', {textContent: value}));
    }
    return list;
  }

  // When nothing is selected: what is live at a step, then the facts about the whole.
  showOverview(step, isMoving) {
    const {model} = this;
    this.replace(
        ...(model.comparison ? this.growth() : []),
        ...this.live.show(step, isMoving),
        ...this.whole());
  }

  // The facts that are the same at all steps; made anew when the colors are others.
  whole() {
    const {model, painter} = this;
    if (this.wholeAt !== painter.changes) {
      this.wholeAt = painter.changes;
      this.wholeNodes = [
        ...(model.comparison ? this.changes() : []),
        element('h3', {textContent: 'In all'}),
        this.facts(this.totals()),
        ...this.leftOut(),
        element('details', null, element('summary', {textContent: 'What is shown'}),
            ...model.stages.map((stage, s) => element('p', null, element('b', {textContent: stageName(model, s) + '. '}), stage.meaning))),
      ];
    }
    return this.wholeNodes;
  }

  totals() {
    const {model} = this;
    const [before, after] = model.stages;
    const pairs = [
      [model.pointsPerStep === 1 ? 'times' : 'operators', grouped(model.operatorCount)],
      [stageName(model, 0), exactBytes(before.bytesOnce) + stepBytes(before)],
      [stageName(model, 1), exactBytes(after.bytesOnce) + stepBytes(after)],
    ];
    if (after.lowerBound > 0) {
      pairs.push(['lower bound', exactBytes(after.lowerBound)]);
    }
    pairs.push(['tensors', grouped(after.count)]);
    return pairs;
  }

  // What has no bytes in the plan: the parameters in one line, anything else by its reason.
  leftOut() {
    const {model} = this;
    const reasons = new Map();
    let count = 0;
    let bytes = 0;
    let isAtLeast = false;
    for (let v = 0; v < model.variableCount; v++) {
      const note = model.notes(v);
      const reason = note && note.split(';')[0];
      if (reason === PERSISTABLE && !model.type(v)) {
        continue; // what the runtime hands feeds and results over in
      }
      if (reason === PERSISTABLE) {
        count++;
        isAtLeast = isAtLeast || model.declared[v] < 0;
        bytes += Math.max(0, model.declared[v]);
      } else if (reason.startsWith('not planned: ')) {
        reasons.set(reason, (reasons.get(reason) || []).concat(v));
      }
    }
    const nodes = [...reasons].map(([reason, variables]) => element('details', null,
        element('summary', {textContent: grouped(variables.length) + ' ' + reason}), this.list(variables)));
    if (count) {
      nodes.unshift(element('p', {id: 'parameters', textContent: grouped(count) + (count === 1 ? ' parameter, ' : ' parameters, ')
          + (isAtLeast ? 'at least ' : '') + exactBytes(bytes) + ', outside of the plan'}));
    }
    return nodes;
  }

  // How much the arena has grown from the first plan to the second, and how they differ as a whole.
  growth() {
    const {model} = this;
    const [a, b] = model.stages.map(stage => stage.bytesOnce);
    const title = a === b ? 'The arena has not changed' : 'The arena has ' + (b > a ? 'grown' : 'shrunk') + ' by ' + shortBytes(Math.abs(b - a));
    return [element('h2', {id: 'growth', textContent: title}), ...model.comparison.facts.map(fact => element('p', {className: 'quiet', textContent: fact}))];
  }

  // The variables that have other bytes or another life, those that have grown most first.
  changes() {
    const {model} = this;
    const most = s => v => [...model.stages[s].boxesOf(v)].reduce((m, b) => Math.max(m, model.stages[s].bytes[b]), 0);
    const [old, now] = [most(0), most(1)];
    const changed = [];
    for (let v = 0; v < model.variableCount; v++) {
      if (!['', 'same', 'moved'].includes(model.kind(v))) {
        changed.push({variable: v, from: old(v), to: now(v), by: now(v) - old(v)});
      }
    }
    changed.sort((a, b) => b.by - a.by || a.variable - b.variable);
    const rows = this.rows(changed.length, i => {
      const {variable, from, to} = changed[i];
      const words = model.kind(variable) + ', ' + (from === to ? shortBytes(to) : shortBytes(from) + ' → ' + shortBytes(to));
      return element('li', null, this.link(variable), element('span', {className: 'quiet', textContent: '  ' + words}));
    });
    rows.id = 'changes';
    return [element('h3', {textContent: changed.length ? 'Changed tensors: ' + grouped(changed.length) : 'No tensor has other bytes or another life'}), rows];
  }

  showVariable(variable, boxes) {
    const {model} = this;
    const parts = [element('h2', {textContent: model.name(variable)})];
    const pairs = model.kind(variable) ? [[model.comparison ? 'change' : 'kind', model.kind(variable)]] : [];
    if (model.block(variable) >= 0) {
      pairs.push(['block', String(model.block(variable))]);
    }
    if (model.type(variable)) {
      pairs.push(['declared', model.type(variable)]);
    }
    const bytes = this.bytesIn(variable, boxes);
    if (bytes > 0 || model.declared[variable] >= 0) {
      pairs.push(['bytes', exactBytes(bytes > 0 ? bytes : model.declared[variable])]);
    }
    if (this.liveWords(variable, boxes[0])) {
      pairs.push(['live', this.liveWords(variable, boxes[0])]);
    }
    if (model.position(variable)) {
      pairs.push(['source', model.position(variable)]);
    }
    parts.push(this.facts(pairs));
    if (model.code(variable)) {
      parts.push(element('pre', {textContent: model.code(variable)}));
    }
    if (model.notes(variable)) {
      parts.push(element('h3', {textContent: 'Left alone'}), element('p', {textContent: model.notes(variable)}));
    }
    parts.push(...this.name(variable));
    for (const b of boxes) {
      parts.push(...this.place(b, boxes.length > 1));
    }
    parts.push(...this.links(variable));
    parts.push(...this.sharers.show(variable, boxes));
    this.replace(...parts);
  }

  // When a variable is live, in the same words everywhere: by its own life, or that of its box.
  liveWords(variable, box) {
    const {model} = this;
    const own = model.comparison ? [] : model.stages[0].boxesOf(variable);
    if (own.length) {
      return [...own].map(b => this.times(model.stages[0], b)).join(', ');
    }
    return box === undefined ? '' : this.times(model.stages[1], box);
  }

  // The bytes of a variable: its own, or those of its box.
  bytesIn(variable, boxes) {
    const {model} = this;
    const own = model.comparison ? [] : model.stages[0].boxesOf(variable);
    return own.length ? model.stages[0].bytes[own[0]] : boxes.length ? model.stages[1].bytes[boxes[0]] : 0;
  }

  times(stage, b) {
    const {model} = this;
    const words = [];
    let rest = 0;
    eachStretch(stage, b, (begin, end) => {
      if (words.length === MOST_TIMES) {
        rest++;
        return;
      }
      const from = describePoint(model, begin);
      const to = describePoint(model, end - 1);
      words.push(from === to ? from : from + ' – ' + to);
    });
    return words.join(', ') + (rest > 0 ? ', and ' + rest + ' more times' : '');
  }

  // Who has the same name after.
  name(variable) {
    const {model} = this;
    const holder = model.holder[variable];
    const others = model.members(holder).filter(v => v !== variable);
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
  place(b, isOneOfSeveral) {
    const after = this.model.stages[1];
    const arena = after.arenas[after.arena[b]];
    const offset = after.low[b] - arena.base;
    const pairs = [
      ['offset', grouped(offset) + (after.views.has(b) ? ' in this iteration' : '')],
    ];
    if (isOneOfSeveral) {
      pairs.push(['bytes', exactBytes(after.bytes[b])], ['in', this.times(after, b)]);
    }
    if (after.arenas.length > 1) {
      pairs.unshift(['arena', arena.label]);
    }
    if (after.views.has(b)) {
      pairs.push(['views', viewWords(after.views.get(b))]);
    }
    return [element('h3', {textContent: 'In the plan'}), this.facts(pairs)];
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
}

// Where loops move a box: offsets in turn, as in 3[0 64].
function viewWords(view) {
  if (!Array.isArray(view)) {
    return grouped(view);
  }
  const first = view[1] === null ? '' : 'first ' + viewWords(view[1]) + ', then ';
  return first + view[2].map(viewWords).join(', ') + ' in turn by the iterations of block ' + view[0];
}
