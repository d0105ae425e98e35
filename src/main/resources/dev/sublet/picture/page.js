// Puts the page together: reads the data, draws, and follows pointer, keys and search.

class Page {
  constructor(model) {
    this.model = model;
    this.view = new View(model);
    this.canvas = byId('canvas');
    this.iterations = new Map(model.loops.map(block => [block, 0]));
    model.stages.forEach(stage => placeBoxes(stage, model, this.iterations));
    this.state = {selected: -1, related: new Set(), boxes: new Set(), hover: null, point: -1, step: -1};
    this.painter = new Painter(this.canvas, model, this.view);
    this.panel = new Panel(byId('panel'), model, this.painter, v => this.select(v, true));
    this.order = this.orderOfVariables();
    this.isDue = false;
    this.firstDraw = 0;
    this.fillHeader();
    this.listen();
    this.panel.showOverview();
    this.resize();
    this.drawNow();
    this.firstDraw = performance.now();
  }

  fillHeader() {
    const {model} = this;
    const [before, after] = model.stages;
    byId('title').textContent = model.title;
    const share = before.bytesOnce ? (100 * after.bytesOnce / before.bytesOnce).toFixed(1) + ' % of before' : '';
    const bound = after.lowerBound === 0 ? ''
        : after.lowerBound >= after.bytesOnce ? ' — no plan is smaller'
            : ' — lower bound ' + shortBytes(after.lowerBound);
    byId('summary').replaceChildren(
        shortBytes(before.bytesOnce) + ' → ', element('b', {textContent: shortBytes(after.bytesOnce)}), ': ' + share + bound);
    for (const block of model.loops) {
      byId('loops').append(this.stepper(block));
    }
  }

  // Buttons that let a loop iterate.
  stepper(block) {
    const output = element('output', {id: 'iteration-' + block, textContent: '0'});
    const less = element('button', {textContent: '−', title: 'One iteration back ( I )'});
    const more = element('button', {textContent: '+', title: 'One iteration on ( i )'});
    less.setAttribute('aria-label', 'Loop of block ' + block + ': one iteration back');
    more.setAttribute('aria-label', 'Loop of block ' + block + ': one iteration on');
    less.addEventListener('click', () => this.iterate(block, -1));
    more.addEventListener('click', () => this.iterate(block, 1));
    const label = element('span', {className: 'label', textContent: 'block ' + block + ' iterated'});
    return element('span', {className: 'group'}, label, less, output, more);
  }

  iterate(block, by) {
    const count = Math.max(0, (this.iterations.get(block) || 0) + by);
    this.iterations.set(block, count);
    byId('iteration-' + block).textContent = String(count);
    moveBoxes(this.model.stages[1], this.iterations);
    this.say('The loop of block ' + block + ' has iterated ' + count + (count === 1 ? ' time.' : ' times.'));
    this.showDetails();
    this.draw();
  }

  // The words beside the picture, anew.
  showDetails() {
    if (this.state.selected >= 0) {
      this.panel.showVariable(this.state.selected, [...this.state.boxes]);
    } else {
      this.panel.showOverview();
    }
  }

  // Variables by when they are first live; those without a box last.
  orderOfVariables() {
    const {model} = this;
    const before = model.stages[0];
    const first = v => {
      const boxes = before.boxesOf(v);
      return boxes.length ? before.from[boxes[0]] : Infinity;
    };
    const order = Array.from({length: model.variableCount}, (_, v) => v);
    const begins = Float64Array.from(order, first);
    return order.sort((a, b) => (begins[a] === begins[b] ? a - b : begins[a] - begins[b]));
  }

  listen() {
    const on = (id, action) => byId(id).addEventListener('click', action);
    on('time-in', () => this.zoomTime(1.5));
    on('time-out', () => this.zoomTime(1 / 1.5));
    on('bytes-in', () => this.zoomBytes(1.5));
    on('bytes-out', () => this.zoomBytes(1 / 1.5));
    on('fit', () => this.fit());
    on('help', () => this.toggleKeys());
    new ResizeObserver(() => this.resize()).observe(byId('sheet'));
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => {
      this.painter.readTheme();
      this.showDetails();
      this.draw();
    });
    new Pointer(this);
    this.search = new Search(this);
    document.addEventListener('keydown', event => this.key(event));
  }

  resize() {
    const sheet = byId('sheet');
    this.view.resize(sheet.clientWidth, sheet.clientHeight);
    this.draw();
  }

  // Draws with the next frame.
  draw() {
    if (!this.isDue) {
      this.isDue = true;
      requestAnimationFrame(() => {
        this.isDue = false;
        this.drawNow();
      });
    }
  }

  drawNow() {
    this.painter.draw(this.state);
  }

  zoomTime(factor) {
    this.view.zoomTime(factor, LEFT + this.view.plot / 2);
    this.draw();
  }

  zoomBytes(factor) {
    const panel = this.view.panels[1];
    this.view.zoomBytes(factor, 1, panel.top + panel.height);
    this.draw();
  }

  fit() {
    this.view.fit();
    this.draw();
  }

  toggleKeys() {
    const keys = byId('keys');
    keys.hidden = !keys.hidden;
    byId('help').setAttribute('aria-expanded', String(!keys.hidden));
  }

  say(words) {
    byId('status').textContent = words;
  }

  // Selects a variable, or nothing for -1; shows where it is if that is wanted.
  select(variable, reveal) {
    const {model, state, view} = this;
    state.selected = variable;
    state.related = new Set();
    state.boxes = new Set();
    if (variable < 0) {
      this.panel.showOverview();
      this.say('Nothing is selected.');
      this.draw();
      return;
    }
    const after = model.stages[1];
    state.boxes = new Set(this.boxesAfter(variable));
    state.related.add(variable);
    state.related.add(model.holder[variable]);
    model.members(model.holder[variable]).forEach(v => state.related.add(v));
    const boxes = [...state.boxes];
    this.panel.showVariable(variable, boxes);
    if (reveal && boxes.length) {
      view.reveal(after.from[boxes[0]], after.to[boxes[0]], 1, after.low[boxes[0]], after.high[boxes[0]]);
      this.revealBefore(variable);
    }
    this.say(this.describe(variable, boxes));
    this.draw();
  }

  revealBefore(variable) {
    const before = this.model.stages[0];
    const own = before.boxesOf(variable)[0];
    if (own !== undefined) {
      this.view.reveal(before.from[own], before.to[own], 0, before.low[own], before.high[own]);
    }
  }

  // The boxes after in which a variable is: those of its name that are live when it is.
  boxesAfter(variable) {
    const {model} = this;
    const after = model.stages[1];
    const before = model.stages[0];
    const boxes = [...after.boxesOf(model.holder[variable])];
    const own = before.boxesOf(variable);
    if (!own.length || model.members(model.holder[variable]).length < 2) {
      return boxes;
    }
    return boxes.filter(b => own.some(o => piecesMeet(before, o, after, b)));
  }

  describe(variable, boxes) {
    const {model} = this;
    const after = model.stages[1];
    const name = model.name(variable);
    if (!boxes.length) {
      return name + ': ' + (model.notes(variable) || 'no bytes after');
    }
    const b = boxes[0];
    return name + ': ' + exactBytes(after.bytes[b]) + ' at offset ' + grouped(after.low[b] - after.arenas[after.arena[b]].base)
        + ', ' + this.panel.times(after, b);
  }

  // The variable whose box is at a place, as {stage, box, variable}; null if there is none. Of
  // several the one that is live there, then the smallest.
  hit(x, y) {
    const {view, model} = this;
    const s = view.stageAt(x, y);
    if (s < 0) {
      return null;
    }
    const stage = model.stages[s];
    const point = Math.floor(view.pointAt(x));
    const slack = 1 / view.scale;
    const byte = view.byteAt(s, y);
    let best = -1;
    let bestRank = Infinity;
    boxesIn(stage, point, point + 1, byte - slack, byte + slack, b => {
      const isInside = stage.low[b] <= byte && byte < stage.high[b];
      const isLive = pieceAt(stage, b, point) >= 0;
      const rank = (isInside ? 0 : 2) + (isLive ? 0 : 1);
      if ((stage.held || isLive)
          && (rank < bestRank || (rank === bestRank && stage.bytes[b] < stage.bytes[best]))) {
        best = b;
        bestRank = rank;
      }
    });
    return best < 0 ? null : {stage: s, box: best, variable: s === 0 ? stage.variable[best] : this.tenant(best, point)};
  }

  // Who is in a box after at a point.
  tenant(box, point) {
    const before = this.model.stages[0];
    const tenants = tenantsOf(this.model, box);
    for (const variable of tenants) {
      for (const b of before.boxesOf(variable)) {
        if (pieceAt(before, b, point) >= 0) {
          return variable;
        }
      }
    }
    return tenants[0];
  }

  // Selects the next variable in order of time, or the previous one.
  walk(by) {
    const {order, state} = this;
    const at = state.selected < 0 ? (by > 0 ? -1 : order.length) : order.indexOf(state.selected);
    const next = Math.min(order.length - 1, Math.max(0, at + by));
    if (order.length) {
      this.select(order[next], true);
    }
  }

  zoomToSelection() {
    const after = this.model.stages[1];
    const b = [...this.state.boxes][0];
    if (b !== undefined) {
      this.view.show(after.from[b], after.to[b], 1, after.low[b], after.high[b]);
      this.revealBefore(this.state.selected);
      this.draw();
    }
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'INPUT') {
      return;
    }
    const action = this.actions()[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  }

  actions() {
    const {view} = this;
    const step = 60;
    const pan = (x, y) => () => {
      view.panTime(x);
      view.panBytes(y, 0);
      view.panBytes(y, 1);
      this.draw();
    };
    const iterateAll = by => () => this.model.loops.forEach(block => this.iterate(block, by));
    return {
      'ArrowLeft': pan(-step, 0), 'ArrowRight': pan(step, 0),
      'ArrowUp': pan(0, step), 'ArrowDown': pan(0, -step),
      '+': () => this.zoomTime(1.5), '=': () => this.zoomTime(1.5), '-': () => this.zoomTime(1 / 1.5),
      ']': () => this.zoomBytes(1.5), '[': () => this.zoomBytes(1 / 1.5),
      '0': () => this.fit(),
      'n': () => this.walk(1), 'p': () => this.walk(-1),
      'f': () => this.zoomToSelection(),
      'i': iterateAll(1), 'I': iterateAll(-1),
      '/': () => byId('search').focus(),
      '?': () => this.toggleKeys(),
      'Escape': () => {
        byId('keys').hidden = true;
        this.select(-1);
      },
    };
  }
}

function byId(id) {
  return document.getElementById(id);
}

// Follows the mouse, a pen or a finger.
class Pointer {
  constructor(page) {
    this.page = page;
    this.tip = byId('tip');
    this.drag = null;
    const canvas = page.canvas;
    canvas.addEventListener('pointermove', e => this.move(e));
    canvas.addEventListener('pointerdown', e => this.press(e));
    canvas.addEventListener('pointerup', e => this.release(e));
    canvas.addEventListener('pointercancel', () => this.stop());
    canvas.addEventListener('pointerleave', () => this.leave());
    canvas.addEventListener('wheel', e => this.wheel(e), {passive: false});
  }

  press(event) {
    this.drag = {x: event.offsetX, y: event.offsetY, moved: 0, stage: this.page.view.stageAt(event.offsetX, event.offsetY)};
    this.page.canvas.setPointerCapture(event.pointerId);
  }

  move(event) {
    const {page, drag} = this;
    const {offsetX: x, offsetY: y} = event;
    if (drag) {
      drag.moved += Math.abs(x - drag.x) + Math.abs(y - drag.y);
      page.view.panTime(drag.x - x);
      if (drag.stage >= 0) {
        page.view.panBytes(y - drag.y, drag.stage);
      }
      drag.x = x;
      drag.y = y;
      page.canvas.classList.toggle('moving', drag.moved > 4);
      page.draw();
      return;
    }
    this.point(x, y);
  }

  // Shows what is at a place.
  point(x, y) {
    const {page} = this;
    const {view, model, state} = page;
    state.hover = page.hit(x, y);
    const isInside = x >= LEFT && x <= LEFT + view.plot;
    state.point = isInside ? Math.floor(view.pointAt(x)) : -1;
    state.step = isInside ? Math.min(model.stepCount - 1, Math.floor(state.point / model.pointsPerStep)) : -1;
    this.showTip(x, y);
    page.draw();
  }

  showTip(x, y) {
    const {page, tip} = this;
    const {state, model, view} = page;
    const lines = [];
    if (state.hover) {
      const stage = model.stages[state.hover.stage];
      const b = state.hover.box;
      const variable = state.hover.variable;
      const block = model.block(variable) >= 0 ? 'block ' + model.block(variable) + ', ' : '';
      lines.push(element('b', {textContent: model.name(variable)}));
      lines.push(line(block + exactBytes(stage.bytes[b]) + ' at offset ' + grouped(stage.low[b] - stage.arenas[stage.arena[b]].base)));
      lines.push(line(page.panel.times(stage, b)));
      if (pieceAt(stage, b, state.point) < 0) {
        lines.push(line('here held, but dead'));
      }
      if (stage.views.has(b)) {
        lines.push(line('moved: ' + viewWords(stage.views.get(b))));
      }
    } else if (state.step >= 0 && view.isOnAxis(x, y)) {
      lines.push(element('b', {textContent: describePoint(model, state.point)}), line(model.stepPlace(state.step)));
    }
    tip.hidden = !lines.length;
    tip.replaceChildren(...lines);
    if (lines.length) {
      const width = tip.offsetWidth;
      const height = tip.offsetHeight;
      tip.style.left = Math.max(4, x + 16 + width > view.width ? x - width - 12 : x + 16) + 'px';
      tip.style.top = Math.max(4, Math.min(view.height - height - 4, y + 14)) + 'px';
    }
  }

  release(event) {
    const {page, drag} = this;
    const wasClick = drag && drag.moved <= 4;
    this.stop();
    if (wasClick) {
      this.click(event.offsetX, event.offsetY);
    }
    page.canvas.focus({preventScroll: true});
  }

  click(x, y) {
    const {page} = this;
    const hit = page.hit(x, y);
    if (hit) {
      page.select(hit.variable, false);
    } else if (page.view.isOnAxis(x, y) && page.model.stepCount) {
      this.point(x, y);
      page.select(-1);
      page.panel.showStep(page.state.step);
      page.say(describePoint(page.model, page.state.point));
    } else {
      page.select(-1);
    }
  }

  stop() {
    this.drag = null;
    this.page.canvas.classList.remove('moving');
  }

  leave() {
    const {state} = this.page;
    state.hover = null;
    state.point = -1;
    state.step = -1;
    this.tip.hidden = true;
    this.page.draw();
  }

  wheel(event) {
    const {page} = this;
    event.preventDefault();
    // A wheel's notch is about 100 pixels, or 3 lines.
    const notches = (event.deltaY || event.deltaX) / (event.deltaMode === 1 ? 3 : 100);
    const factor = Math.pow(1.25, -Math.max(-3, Math.min(3, notches)));
    const {offsetX: x, offsetY: y} = event;
    if (event.shiftKey) {
      page.view.zoomBytes(factor, page.view.stageAt(x, y), y);
    } else {
      page.view.zoomTime(factor, Math.max(LEFT, x));
    }
    this.point(x, y);
  }
}

function line(words) {
  return element('div', {textContent: words});
}

// The box that finds names: any part, in any case; those that begin so come first.
class Search {
  constructor(page) {
    this.page = page;
    this.input = byId('search');
    this.list = byId('found');
    this.found = [];
    this.at = 0;
    this.names = null;
    this.input.addEventListener('input', () => this.find());
    this.input.addEventListener('focus', () => this.find());
    this.input.addEventListener('blur', () => this.close());
    this.input.addEventListener('keydown', event => this.key(event));
  }

  find() {
    const {model} = this.page;
    if (!this.names) {
      this.names = Array.from({length: model.variableCount}, (_, v) => model.name(v).toLowerCase());
    }
    const words = this.input.value.trim().toLowerCase();
    const begin = [];
    const inside = [];
    for (let v = 0; words && v < this.names.length; v++) {
      const at = this.names[v].indexOf(words);
      if (at >= 0) {
        (at === 0 ? begin : inside).push(v);
      }
    }
    this.found = begin.concat(inside);
    this.at = 0;
    this.show(words);
  }

  show(words) {
    const {model, panel} = this.page;
    this.list.hidden = !words;
    this.input.setAttribute('aria-expanded', String(Boolean(words)));
    const rows = this.found.slice(0, 50).map((variable, i) => {
      const row = element('li', {id: 'found-' + i},
          element('span', {textContent: model.name(variable)}), element('span', {textContent: panel.bytesOf(variable)}));
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', String(i === this.at));
      row.addEventListener('pointerdown', event => {
        event.preventDefault();
        this.choose(variable);
      });
      return row;
    });
    if (words && !rows.length) {
      rows.push(element('li', {className: 'none', textContent: 'no variable has this in its name'}));
    } else if (this.found.length > rows.length) {
      rows.push(element('li', {className: 'none', textContent: 'and ' + grouped(this.found.length - rows.length) + ' more'}));
    }
    this.list.replaceChildren(...rows);
    this.mark();
    if (words) {
      this.page.say(grouped(this.found.length) + ' found');
    }
  }

  mark() {
    const rows = this.list.querySelectorAll('[role=option]');
    rows.forEach((row, i) => row.setAttribute('aria-selected', String(i === this.at)));
    if (rows[this.at]) {
      this.input.setAttribute('aria-activedescendant', rows[this.at].id);
      rows[this.at].scrollIntoView({block: 'nearest'});
    } else {
      this.input.removeAttribute('aria-activedescendant');
    }
  }

  choose(variable) {
    this.close();
    this.page.canvas.focus({preventScroll: true});
    this.page.select(variable, true);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute('aria-expanded', 'false');
  }

  key(event) {
    const last = Math.min(50, this.found.length) - 1;
    if (event.key === 'Enter' && this.found.length) {
      this.choose(this.found[this.at]);
    } else if (event.key === 'Escape') {
      this.input.value = '';
      this.close();
      this.page.canvas.focus({preventScroll: true});
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.at = Math.max(0, Math.min(last, this.at + (event.key === 'ArrowDown' ? 1 : -1)));
      this.mark();
    } else {
      return;
    }
    event.preventDefault();
  }
}

// For whoever looks into the page with a console, and for its tests.
window.sublet = (() => {
  const explorer = byId('explorer');
  explorer.hidden = false;
  document.body.classList.add('explored');
  return new Page(readModel(JSON.parse(byId('data').textContent)));
})();
