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
    this.keepInWindow();
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

  // The list begins below the box, or as far to the left as it takes to have all of it in the window.
  keepInWindow() {
    const room = document.documentElement.clientWidth - 14 - this.list.offsetWidth - byId('searchbox').getBoundingClientRect().left;
    this.list.style.left = Math.min(0, room) + 'px';
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
    this.page.pointer.leave();
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
