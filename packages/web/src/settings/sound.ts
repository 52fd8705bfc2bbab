const HIGH_HZ = 880;
const LOW_HZ = 660;
const LENGTH_S = 0.35;
const VOLUME = 0.08;

/** Two short notes. */
export class Sound {
  #context: AudioContext | undefined;
  #endS = 0;

  /**
   * Plays the sound, if the browser allows it: it does after the reader has done something on the page. While the sound
   * plays, it does not begin once more: a reconnect may bring hundreds of messages at once.
   */
  play(): void {
    if (!('AudioContext' in globalThis)) return;
    const context = (this.#context ??= new AudioContext());
    const { currentTime: startS } = context;
    if (startS < this.#endS) return;
    this.#endS = startS + LENGTH_S;
    const gain = context.createGain();
    gain.gain.setValueAtTime(VOLUME, startS);
    gain.gain.exponentialRampToValueAtTime(0.0001, this.#endS);
    gain.connect(context.destination);
    const note = context.createOscillator();
    note.frequency.setValueAtTime(LOW_HZ, startS);
    note.frequency.setValueAtTime(HIGH_HZ, startS + LENGTH_S / 3);
    note.connect(gain);
    note.start(startS);
    note.stop(this.#endS);
  }
}
