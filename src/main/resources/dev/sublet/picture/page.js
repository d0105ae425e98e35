// Puts the page together: reads the data, draws, and follows pointer, keys and search.

// How often the picture is drawn before anybody acts, also if pixels are computed for many boxes.
const REHEARSALS = 6;
const REHEARSALS_OF_MANY = 12;

// Does one thing after the other, each in a frame of its own, when the browser has nothing else to do.
function inFrames(actions) {
  const whenIdle = window.requestIdleCallback || (action => setTimeout(action, 0));
  if (actions.length) {
    whenIdle(() => requestAnimationFrame(() => {
      actions[0]();
      inFrames(actions.slice(1));
    }));
  }
}

class Page {
  constructor(model) {
    this.model = model;
    this.view = new View(model);
    this.canvas = byId('canvas');
    this.iterations = new Map(model.loops.map(block => [block, 0]));
    model.stages.forEach(stage => placeBoxes(stage, model, this.iterations));
    this.state = {selected: -1, boxes: new Set(), hover: null, point: -1, step: -1, at: peakStep(model)};
    this.painter = new Painter(this.canvas, byId('marks'), model, this.view);
    this.panel = new Panel(byId('panel'), model, this.painter, v => this.select(v, true));
    this.order = null;
    this.isDue = false;
    this.isReady = false;
    this.firstDraw = 0;
    this.fillHeader();
    this.controls = new Controls(this);
    this.listen();
    this.showDetails();
    this.resize();
    this.fragment = new Fragment(this);
    this.firstDraw = performance.now();
    this.prepare();
  }

  // After the first picture, before anybody points at it: makes what the first move would wait for,
  // one thing a frame. Then draws the same a few times, unless there is something new: the browser
  // takes memory for a canvas with the first frames that show it, and compiles the code.
  prepare() {
    const {model} = this;
    const rehearsals = model.stages[1].count > MOST_SHAPES ? REHEARSALS_OF_MANY : REHEARSALS;
    inFrames([
      // The frame with the first picture.
      () => model.stages.forEach(stage => {
        stage.isNew = false;
      }),
      () => indexOf(model.stages[1]),
      () => sumPoints(model.stages[0], model.endPoint),
      () => this.orderOfVariables(),
      ...Array(rehearsals).fill(() => this.isDue || this.painter.rehearse(this.state)),
      () => {
        this.isReady = true;
      },
    ]);
  }

  fillHeader() {
    const {model} = this;
    const [before, after] = model.stages;
    byId('title').textContent = model.title;
    const share = before.bytesOnce ? ': ' + percent(after.bytesOnce, before.bytesOnce) + ' of ' + (model.comparison ? model.comparison.before : 'before') : '';
    const bound = after.lowerBound === 0 ? ''
        : after.lowerBound >= after.bytesOnce ? ' — no plan is smaller'
            : ' — lower bound ' + shortBytes(after.lowerBound);
    let unknown = 0;
    for (let v = 0; v < model.variableCount; v++) {
      unknown += model.notes(v).startsWith('not planned: size unknown') ? 1 : 0;
    }
    const missing = unknown ? '. Not drawn, for want of a size: ' + grouped(unknown) + ' names' : '';
    byId('summary').replaceChildren(
        shortBytes(before.bytesOnce) + ' → ', element('b', {textContent: shortBytes(after.bytesOnce)}), share + bound + missing);
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
    this.painter.forget();
    this.say('The loop of block ' + block + ' has iterated ' + count + (count === 1 ? ' time.' : ' times.'));
    this.showDetails();
    this.draw();
  }

  // The words beside the picture, anew.
  showDetails() {
    if (this.state.selected >= 0) {
      this.panel.showVariable(this.state.selected, [...this.state.boxes]);
    } else {
      this.panel.showOverview(this.state.at);
    }
  }

  // Chooses the operator at which the panel lists what is live; more may follow soon.
  goTo(step, isMoving) {
    const {model, state} = this;
    state.at = Math.min(model.stepCount - 1, Math.max(0, step));
    if (state.selected >= 0) {
      this.select(-1);
    } else {
      this.panel.showOverview(state.at, isMoving);
    }
    this.controls.showStep();
    this.view.revealPoint(pointOfStep(model, state.at));
    this.say(describePoint(model, pointOfStep(model, state.at)) + ': ' + exactBytes(liveBytesAt(model, pointOfStep(model, state.at))) + ' live');
    this.draw();
  }

  setMode(mode) {
    this.painter.setMode(mode);
    this.controls.showLegend();
    this.showDetails();
    this.draw();
  }

  setBefore(before) {
    this.view.setBefore(before);
    this.controls.showBefore();
    this.draw();
  }

  // Variables by when they are first live; those without a box last.
  orderOfVariables() {
    const {model} = this;
    if (this.order) {
      return this.order;
    }
    const before = model.stages[0];
    const first = v => {
      const boxes = before.boxesOf(v);
      return boxes.length ? before.from[boxes[0]] : Infinity;
    };
    const order = Array.from({length: model.variableCount}, (_, v) => v);
    const begins = Float64Array.from(order, first);
    this.order = order.sort((a, b) => (begins[a] === begins[b] ? a - b : begins[a] - begins[b]));
    return this.order;
  }

  listen() {
    const on = (id, action) => byId(id).addEventListener('click', action);
    on('time-in', () => this.zoomTime(1.5));
    on('time-out', () => this.zoomTime(1 / 1.5));
    on('bytes-in', () => this.zoomBytes(1.5));
    on('bytes-out', () => this.zoomBytes(1 / 1.5));
    on('fit', () => this.fit());
    on('help', () => this.keys.toggle());
    new ResizeObserver(() => this.resize()).observe(byId('sheet'));
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => {
      this.painter.readTheme();
      this.controls.showLegend();
      this.showDetails();
      this.draw();
    });
    this.pointer = new Pointer(this);
    this.search = new Search(this);
    this.keys = new Keys(this);
  }

  // Draws at once, so that nobody sees the old picture stretched.
  resize() {
    const sheet = byId('sheet');
    if (this.view.width !== sheet.clientWidth || this.view.height !== sheet.clientHeight) {
      this.view.resize(sheet.clientWidth, sheet.clientHeight);
      this.drawNow();
    }
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
    this.fragment && this.fragment.keep();
  }

  // The chosen operator stays where it is, if it can be seen.
  zoomTime(factor) {
    const {view, model, state} = this;
    const x = view.x(pointOfStep(model, state.at) + 0.5);
    const isSeen = model.stepCount > 0 && x >= view.left && x <= view.left + view.plot;
    view.zoomTime(factor, isSeen ? x : view.left + view.plot / 2);
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

  say(words) {
    byId('status').textContent = words;
  }

  // Selects a variable, or nothing for -1; shows where it is if that is wanted.
  select(variable, reveal) {
    const {model, state, view} = this;
    state.selected = variable;
    state.boxes = new Set();
    if (variable < 0) {
      this.showDetails();
      this.say('Nothing is selected.');
      this.draw();
      return;
    }
    const after = model.stages[1];
    state.boxes = new Set(this.boxesAfter(variable));
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
    if (own !== undefined && !this.view.isFolded) {
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
    if (!own.length || model.comparison || model.members(model.holder[variable]).length < 2) {
      return boxes;
    }
    return boxes.filter(b => own.some(o => piecesMeet(before, o, after, b)));
  }

  describe(variable, boxes) {
    const {model} = this;
    const after = model.stages[1];
    const name = model.name(variable);
    if (!boxes.length) {
      return name + ': ' + (model.notes(variable) || 'no bytes in the plan');
    }
    const b = boxes[0];
    return name + ': ' + exactBytes(this.panel.bytesIn(variable, boxes)) + ' at offset ' + grouped(after.low[b] - after.arenas[after.arena[b]].base)
        + ', live ' + this.panel.liveWords(variable, b);
  }

  // The variable whose box is at a place, as {stage, box, variable}; null if there is none. Of
  // several the one that is live there; of these the one that is seen, which is drawn last.
  hit(x, y) {
    const {view, model} = this;
    const s = view.stageAt(x, y);
    if (s < 0 || (s === 0 && view.isFolded)) {
      return null;
    }
    const stage = model.stages[s];
    const point = Math.floor(view.pointAt(x));
    const slack = 1 / view.scaleOf(s);
    const byte = view.byteAt(s, y);
    let best = -1;
    let bestPiece = -1;
    let bestRank = Infinity;
    boxesIn(stage, point, point + 1, byte - slack, byte + slack, b => {
      const p = pieceAt(stage, b, point);
      const window = p >= 0 && stage.windows.get(p);
      const low = stage.low[b] + (window ? window.low : 0);
      const high = window ? stage.low[b] + window.high : stage.high[b];
      const rank = (low <= byte && byte < high ? 0 : 2) + (p >= 0 ? 0 : 1);
      if ((stage.held || p >= 0) && (rank < bestRank || (rank === bestRank && b > best))) {
        best = b;
        bestPiece = p;
        bestRank = rank;
      }
    });
    return best < 0 ? null : {stage: s, box: best, variable: bestPiece < 0 ? stage.variable[best] : variableOf(stage, best, bestPiece)};
  }

  // Selects the next variable in order of time, or the previous one.
  walk(by) {
    const {state} = this;
    const order = this.orderOfVariables();
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
}

function byId(id) {
  return document.getElementById(id);
}
