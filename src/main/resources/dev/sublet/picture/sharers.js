// Who else uses the bytes of a variable.

class Sharers {
  constructor(panel, model) {
    this.panel = panel;
    this.model = model;
  }

  // Who is in some of the same bytes after, the nearest in time first.
  show(variable, boxes) {
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
    return [element('h3', {textContent: title}), this.panel.rows(uses.length, i => this.use(uses[i]))];
  }

  use({variable, from, to, isEarlier}) {
    const words = isEarlier ? 'until ' + describePoint(this.model, to - 1) : 'from ' + describePoint(this.model, from);
    return element('li', null, this.panel.link(variable), element('span', {className: 'quiet', textContent: '  ' + words}));
  }
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
