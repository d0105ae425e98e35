// What part of the picture is on the canvas, and where. Time has one scale, bytes have one scale
// for both stages; each stage has its own lowest visible byte.

const LEFT = 80;
const RIGHT = 10;
const HEADLINE = 24;
const CURVE = 64;
const SPAN_ROW = 15;
const MOST_SPAN_ROWS = 5;
const SMALLEST_PANEL = 56;

class View {
  constructor(model) {
    this.model = model;
    this.t0 = 0;
    this.t1 = Math.max(1, model.endPoint);
    this.zoom = 1;
    this.lowest = [0, 0];
    this.depth = 0;
    this.longest = 0;
    for (const span of model.spans) {
      this.depth = Math.max(this.depth, span.depth + 1);
    }
    for (let i = 0; i < model.stepCount; i++) {
      const end = model.stepFlags[i] & 1 ? 'end of '.length : 0;
      this.longest = Math.max(this.longest, end + model.stepLabel(i).length);
    }
  }

  // Arranges everything on a canvas of that many CSS pixels.
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.plot = Math.max(50, width - LEFT - RIGHT);
    this.arrange();
    this.clamp();
  }

  // Gives the stages what the axis leaves: little for numbers, more where operators stand upright.
  arrange() {
    this.isNamed = this.model.pointsPerStep > 1 && this.perPoint * this.model.pointsPerStep >= 11;
    this.labels = this.isNamed ? Math.min(128, 14 + 6.7 * this.longest) : this.model.pointsPerStep > 1 ? 36 : 22;
    this.spanRows = Math.min(MOST_SPAN_ROWS, this.depth);
    const rest = this.labels + this.spanRows * SPAN_ROW + 10 + CURVE + 3 * HEADLINE;
    const room = Math.max(2 * SMALLEST_PANEL, this.height - rest);
    const [before, after] = this.model.stages.map(stage => stage.height);
    let first = room * before / (before + after);
    first = Math.min(room - SMALLEST_PANEL, Math.max(SMALLEST_PANEL, first));
    this.fitScale = Math.min(first / before, (room - first) / after);
    this.panels = [
      {top: HEADLINE, height: first},
      {top: 2 * HEADLINE + first, height: room - first},
    ];
    this.curveTop = 3 * HEADLINE + room;
    this.axisTop = this.curveTop + CURVE;
  }

  // Pixels a byte, and pixels a point.
  get scale() {
    return this.fitScale * this.zoom;
  }

  get perPoint() {
    return this.plot / (this.t1 - this.t0);
  }

  x(point) {
    return LEFT + (point - this.t0) * this.perPoint;
  }

  y(stage, byte) {
    const panel = this.panels[stage];
    return panel.top + panel.height - (byte - this.lowest[stage]) * this.scale;
  }

  pointAt(x) {
    return this.t0 + (x - LEFT) / this.perPoint;
  }

  byteAt(stage, y) {
    const panel = this.panels[stage];
    return this.lowest[stage] + (panel.top + panel.height - y) / this.scale;
  }

  // The stage whose panel a place is in, or -1.
  stageAt(x, y) {
    if (x < LEFT || x > LEFT + this.plot) {
      return -1;
    }
    return this.panels.findIndex(panel => y >= panel.top && y <= panel.top + panel.height);
  }

  isOnAxis(x, y) {
    return x >= LEFT && x <= LEFT + this.plot && y > this.curveTop;
  }

  zoomTime(factor, x) {
    const point = this.pointAt(x);
    const end = Math.max(1, this.model.endPoint);
    const wanted = Math.min(end, Math.max(Math.min(end, 4), (this.t1 - this.t0) / factor));
    const share = (x - LEFT) / this.plot;
    this.t0 = point - wanted * share;
    this.t1 = this.t0 + wanted;
    this.clamp();
  }

  // Zooms bytes; the byte at y of a stage stays where it is, in the other one the lowest does.
  zoomBytes(factor, stage, y) {
    const byte = stage < 0 ? 0 : this.byteAt(stage, y);
    this.zoom = Math.min(1e12, Math.max(1, this.zoom * factor));
    if (stage >= 0) {
      const panel = this.panels[stage];
      this.lowest[stage] = byte - (panel.top + panel.height - y) / this.scale;
    }
    this.clamp();
  }

  panTime(pixels) {
    const points = pixels / this.perPoint;
    this.t0 += points;
    this.t1 += points;
    this.clamp();
  }

  panBytes(pixels, stage) {
    this.lowest[stage] += pixels / this.scale;
    this.clamp();
  }

  fit() {
    this.t0 = 0;
    this.t1 = Math.max(1, this.model.endPoint);
    this.zoom = 1;
    this.lowest = [0, 0];
    this.clamp();
  }

  // Shows a time and some bytes of a stage, with something around them.
  show(from, to, stage, low, high) {
    const end = Math.max(1, this.model.endPoint);
    const span = Math.min(end, Math.max(16, (to - from) * 2));
    this.t0 = (from + to - span) / 2;
    this.t1 = this.t0 + span;
    this.clamp();
    const panel = this.panels[stage];
    const wanted = panel.height / Math.max(1, (high - low) * 3);
    this.zoom = Math.max(1, wanted / this.fitScale);
    this.lowest[stage] = (low + high) / 2 - panel.height / this.scale / 2;
    this.clamp();
  }

  // Moves as little as possible so that a box can be seen.
  reveal(from, to, stage, low, high) {
    if (to <= this.t0 || from >= this.t1) {
      const span = this.t1 - this.t0;
      this.t0 = (from + to - span) / 2;
      this.t1 = this.t0 + span;
    }
    const shown = this.panels[stage].height / this.scale;
    if (high <= this.lowest[stage] || low >= this.lowest[stage] + shown) {
      this.lowest[stage] = (low + high - shown) / 2;
    }
    this.clamp();
  }

  clamp() {
    const end = Math.max(1, this.model.endPoint);
    const span = Math.min(end, this.t1 - this.t0);
    this.t0 = Math.min(end - span, Math.max(0, this.t0));
    this.t1 = this.t0 + span;
    if (this.panels) {
      this.arrange();
    }
    for (let stage = 0; this.panels && stage < 2; stage++) {
      const shown = this.panels[stage].height / this.scale;
      const most = Math.max(0, this.model.stages[stage].height - shown);
      this.lowest[stage] = Math.min(most, Math.max(0, this.lowest[stage]));
    }
  }
}

// The least power of two that is not below a number.
function powerOfTwo(atLeast) {
  return Math.max(1, 2 ** Math.ceil(Math.log2(Math.max(1, atLeast))));
}

// The least of 1, 2, 5, 10, 20, … that is not below a number.
function roundNumber(atLeast) {
  let step = 1;
  for (;;) {
    for (const factor of [1, 2, 5]) {
      if (step * factor >= atLeast) {
        return step * factor;
      }
    }
    step *= 10;
  }
}
