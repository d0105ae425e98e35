// The slider over the operators, the switch of the colors with its legend, and the stage before.
class Controls {
  constructor(page) {
    this.page = page;
    this.slider = byId('at');
    this.slider.max = String(Math.max(0, page.model.stepCount - 1));
    this.slider.addEventListener('input', () => page.goTo(Number(this.slider.value), true));
    byId('to-peak').addEventListener('click', () => page.goTo(peakStep(page.model)));
    this.mode = byId('color');
    for (const [value, textContent] of page.painter.palette.modes) {
      this.mode.append(element('option', {value, textContent}));
    }
    this.mode.addEventListener('change', () => page.setMode(this.mode.value));
    this.before = byId('before');
    this.before.addEventListener('change', () => page.setBefore(this.before.value));
    byId('stage-before').hidden = Boolean(page.model.comparison);
    this.showStep();
    this.showLegend();
    this.showBefore();
  }

  showStep() {
    const {model, state} = this.page;
    this.slider.value = String(state.at);
    const words = model.stepCount ? describePoint(model, state.at * model.pointsPerStep) : '';
    this.slider.setAttribute('aria-valuetext', words);
    byId('at-words').textContent = words + (model.peak >= 0 && state.at === peakStep(model) ? ', the peak' : '');
  }

  showBefore() {
    this.before.value = this.page.view.before;
  }

  showLegend() {
    const {painter} = this.page;
    this.mode.value = painter.palette.mode;
    byId('legend').replaceChildren(...painter.palette.legend.map(({label, index}) => {
      const swatch = element('span', {className: 'swatch'});
      swatch.style.background = painter.css[index];
      return element('li', null, swatch, label);
    }));
  }
}
