// Colours that fade in three steps: thousands of CSS animations at once cost a browser more than everything else on the page.

const STEP = 200;  // ms; three of them

/** Cells that have just moved. The sign stays until the next move, the colour goes. */
export class Flashes {
  #queue = [];  // { td, base, step, at, turn }, by time
  #turns = new WeakMap();  // td -> its last flash; those before are over
  #turn = 0;

  /** `base`: the cell's other classes, with the sign. */
  start(td, base, now) {
    td.className = base + " f3";
    this.#turns.set(td, ++this.#turn);
    this.#queue.push({ td, base, step: 3, at: now + STEP, turn: this.#turn });
  }
  stop(td) { this.#turns.delete(td); }

  /** Once a frame. */
  tick(now) {
    let done = 0;
    const queue = this.#queue;
    for (; done < queue.length && queue[done].at <= now; done++) {
      const one = queue[done];
      if (this.#turns.get(one.td) !== one.turn) continue;
      one.step--;
      one.td.className = one.step ? `${one.base} f${one.step}` : one.base;
      if (one.step) queue.push({ ...one, at: now + STEP });
      else this.#turns.delete(one.td);
    }
    if (done) queue.splice(0, done);
  }
}
