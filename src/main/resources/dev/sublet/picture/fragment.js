// The view in the fragment of the address, so that it can be sent: #at=8&select=0:x&color=size.
// Only what differs from the first view is written.
class Fragment {
  constructor(page) {
    this.page = page;
    this.due = 0;
    // The fragment as it was last read or written.
    this.known = '';
    this.read();
    window.addEventListener('hashchange', () => this.read());
  }

  // Writes when the view has come to rest.
  keep() {
    clearTimeout(this.due);
    this.due = setTimeout(() => this.write(), 200);
  }

  write() {
    const words = this.words();
    const hash = words ? '#' + words : '';
    // If it is another one by now, somebody has asked for that view, and it is about to be read.
    if (hash !== window.location.hash && window.location.hash === this.known) {
      window.history.replaceState(null, '', hash || window.location.pathname);
      this.known = window.location.hash;
    }
  }

  words() {
    const {model, view, state, painter, iterations} = this.page;
    const parts = [];
    const add = (key, value) => parts.push(key + '=' + value);
    if (state.at !== peakStep(model)) {
      add('at', state.at);
    }
    if (state.selected >= 0) {
      add('select', model.block(state.selected) + ':' + encodeURIComponent(model.name(state.selected)));
    }
    if (painter.palette.mode !== painter.palette.modes[0][0]) {
      add('color', painter.palette.mode);
    }
    if (view.before !== (model.comparison ? 'same' : 'folded')) {
      add('before', view.before);
    }
    if (view.t0 > 0 || view.t1 < model.endPoint) {
      add('time', [view.t0, view.t1].join(','));
    }
    if (view.zooms.some(zoom => zoom > 1)) {
      add('bytes', [view.zooms[0], view.lowest[0], view.zooms[1], view.lowest[1]].map(n => Number(n.toPrecision(9))).join(','));
    }
    iterations.forEach((count, block) => count && add('loop', block + ':' + count));
    return parts.join('&');
  }

  // Shows the view of the address; what it does not name is as in the first view. Numbers and names
  // that the page does not have are left out.
  read() {
    const {page} = this;
    const {model, view, painter} = page;
    this.known = window.location.hash;
    const values = {};
    const loops = new Map();
    for (const part of window.location.hash.slice(1).split('&')) {
      const at = part.indexOf('=');
      const value = part.slice(at + 1);
      if (part.slice(0, at) === 'loop') {
        loops.set(Number(value.split(':')[0]), Number(value.split(':')[1]));
      } else if (at > 0) {
        values[part.slice(0, at)] = value;
      }
    }
    const mode = painter.palette.modes.find(known => known[0] === values.color) || painter.palette.modes[0];
    if (mode[0] !== painter.palette.mode) {
      page.setMode(mode[0]);
    }
    const before = BEFORE.includes(values.before) ? values.before : model.comparison ? 'same' : 'folded';
    if (before !== view.before) {
      page.setBefore(before);
    }
    for (const block of model.loops) {
      const count = loops.get(block);
      page.iterate(block, (count > 0 && count < 1e6 ? Math.floor(count) : 0) - page.iterations.get(block));
    }
    const at = values.at === undefined ? peakStep(model) : Number(values.at);
    if (Number.isInteger(at) && model.stepCount && at !== page.state.at) {
      page.goTo(at);
    }
    const selected = values.select === undefined ? -1 : this.variableOf(values.select);
    if (selected !== page.state.selected) {
      page.select(selected, false);
    }
    const time = numbersOf(values.time, 2);
    const bytes = numbersOf(values.bytes, 4);
    view.restore(time || [0, Math.max(1, model.endPoint)], bytes || [1, 0, 1, 0]);
    page.draw();
  }

  variableOf(words) {
    const {model} = this.page;
    const at = words.indexOf(':');
    let name;
    try {
      name = decodeURIComponent(words.slice(at + 1));
    } catch {
      return -1;
    }
    for (let v = 0; v < model.variableCount; v++) {
      if (model.block(v) === Number(words.slice(0, at)) && model.name(v) === name) {
        return v;
      }
    }
    return -1;
  }
}

// That many numbers, divided by commas, or nothing.
function numbersOf(words, count) {
  const numbers = (words || '').split(',').map(Number);
  return words && numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
}
