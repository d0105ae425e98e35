// What the keys do.
class Keys {
  constructor(page) {
    this.page = page;
    this.actions = this.all();
    document.addEventListener('keydown', event => this.key(event));
  }

  key(event) {
    const {tagName} = event.target;
    const isField = tagName === 'INPUT' || tagName === 'SELECT' || tagName === 'SUMMARY';
    if (event.ctrlKey || event.metaKey || event.altKey || (isField && event.key !== 'Escape')) {
      return;
    }
    const action = this.actions[event.key];
    if (action) {
      event.preventDefault();
      // What was under the pointer may be elsewhere now.
      this.page.pointer.leave();
      action();
    }
  }

  toggle() {
    const keys = byId('keys');
    keys.hidden = !keys.hidden;
    byId('help').setAttribute('aria-expanded', String(!keys.hidden));
  }

  all() {
    const {page} = this;
    const {view, model, state} = page;
    const step = 60;
    const pan = (x, y) => () => {
      view.panTime(x);
      view.panBytes(y, 0);
      view.panBytes(y, 1);
      page.draw();
    };
    const iterateAll = by => () => model.loops.forEach(block => page.iterate(block, by));
    const next = (list, value) => list[(list.indexOf(value) + 1) % list.length];
    return {
      'ArrowLeft': pan(-step, 0), 'ArrowRight': pan(step, 0),
      'ArrowUp': pan(0, step), 'ArrowDown': pan(0, -step),
      '+': () => page.zoomTime(1.5), '=': () => page.zoomTime(1.5), '-': () => page.zoomTime(1 / 1.5),
      ']': () => page.zoomBytes(1.5), '[': () => page.zoomBytes(1 / 1.5),
      '0': () => page.fit(),
      ',': () => page.goTo(state.at - 1), '.': () => page.goTo(state.at + 1),
      'm': () => page.goTo(peakStep(model)),
      'b': () => page.setBefore(next(BEFORE, view.before)),
      'c': () => page.setMode(next(page.painter.palette.modes.map(mode => mode[0]), page.painter.palette.mode)),
      'n': () => page.walk(1), 'p': () => page.walk(-1),
      'f': () => page.zoomToSelection(),
      'i': iterateAll(1), 'I': iterateAll(-1),
      '/': () => byId('search').focus(),
      '?': () => this.toggle(),
      'Escape': () => {
        byId('keys').hidden = true;
        byId('help').setAttribute('aria-expanded', 'false');
        page.select(-1);
      },
    };
  }
}
