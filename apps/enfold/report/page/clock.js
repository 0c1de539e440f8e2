// One time for the whole page.

export class Clock {
  constructor(start, end) {
    Object.assign(this, { start, end, t: start, playing: false, speed: 1, listeners: [], playListeners: [] });
  }

  onTime(listener) { this.listeners.push(listener); }
  onPlay(listener) { this.playListeners.push(listener); }

  set(t) {
    this.t = Math.min(this.end, Math.max(this.start, t));
    for (const listener of this.listeners) listener(this.t);
  }

  play() {
    if (this.playing || !(this.end > this.start)) return;
    if (this.t >= this.end) this.set(this.start);
    this.playing = true;
    let last = null;
    const step = (now) => {
      if (!this.playing) return;
      const t = last === null ? this.t : this.t + 1e-3 * (now - last) * this.speed;
      last = now;
      this.set(t);
      if (this.t >= this.end) this.pause();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    for (const listener of this.playListeners) listener(true);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    for (const listener of this.playListeners) listener(false);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }
}
