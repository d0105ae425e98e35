// Who else uses the bytes of a variable. The rows are used again, with other words.

class Sharers {
  constructor(panel, model) {
    this.panel = panel;
    this.model = model;
    this.title = element('h3');
    this.list = element('ul');
    this.kept = [];
  }

  // Who is in some of the same bytes after, the nearest in time first.
  show(variable, boxes) {
    if (!boxes.length) {
      return [];
    }
    const others = this.others(variable, boxes);
    const own = usesOf(this.model, variable, boxes);
    const uses = [];
    others.forEach((at, other) => uses.push(...usesOf(this.model, other, at)));
    uses.forEach(use => setGap(use, own));
    uses.sort((a, b) => a.gap - b.gap || a.from - b.from || a.variable - b.variable);
    write(this.title, uses.length === 0 ? 'Nothing else uses these bytes'
        : 'Bytes also used by ' + grouped(others.size)
            + (uses.length > others.size ? ', ' + grouped(uses.length) + ' times' : ''));
    this.panel.rows(uses.length, i => this.row(i, uses[i]), this.list);
    return [this.title, this.list];
  }

  // The other variables in these bytes, each with its boxes there.
  others(variable, boxes) {
    const {model} = this;
    const after = model.stages[1];
    const places = new Set();
    for (const box of boxes) {
      boxesIn(after, 0, model.endPoint, after.low[box], after.high[box], b => places.add(b));
    }
    const others = new Map();
    for (const b of places) {
      for (const other of variablesOf(after, b)) {
        const at = others.get(other);
        if (at) {
          at.push(b);
        } else {
          others.set(other, [b]);
        }
      }
    }
    others.delete(variable);
    return others;
  }

  row(i, {variable, from, to, isEarlier}) {
    const row = this.kept[i] || this.emptyRow();
    if (i < FIRST_ROWS) {
      this.kept[i] = row;
    }
    row.link.show(variable);
    write(row.words, '  ' + (isEarlier ? 'until ' + describePoint(this.model, to - 1) : 'from ' + describePoint(this.model, from)));
    return row.item;
  }

  emptyRow() {
    const link = new Link(this.panel);
    const words = element('span', {className: 'quiet'});
    return {link, words, item: element('li', null, link.node, words)};
  }
}

// When a variable is in boxes after: the stretches of its life before that meet theirs; all of
// theirs if there are none.
function usesOf(model, variable, boxes) {
  const [before, after] = model.stages;
  const uses = [];
  const add = (from, to) => uses.push({variable, from, to, gap: Infinity, isEarlier: false});
  for (const own of before.boxesOf(variable)) {
    eachStretch(before, own, (from, to) => boxes.some(b => isLiveIn(after, b, from, to)) && add(from, to));
  }
  if (!uses.length) {
    boxes.forEach(b => eachStretch(after, b, add));
  }
  return uses;
}

// Calls visit(from, to) for the times at which a box is live, or one of its variables is in it; pieces
// that follow each other at once are one.
function eachStretch(stage, b, visit, variable = -1) {
  const {begin, end} = stage;
  const last = stage.firstPiece[b + 1];
  const isIn = p => variable < 0 || variableOf(stage, b, p) === variable;
  for (let p = stage.firstPiece[b]; p < last;) {
    const from = begin[p];
    let to = end[p];
    if (!isIn(p++)) {
      continue;
    }
    while (p < last && begin[p] === to && isIn(p)) {
      to = end[p++];
    }
    visit(from, to);
  }
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
