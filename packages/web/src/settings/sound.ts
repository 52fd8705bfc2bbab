const HIGH_HZ = 880;
const LOW_HZ = 660;
const LENGTH_S = 0.35;
const VOLUME = 0.08;

let context: AudioContext | undefined;

/** Plays two short notes, if the browser allows it: it does after the reader has done something on the page. */
export function playSound(): void {
  if (!('AudioContext' in globalThis)) return;
  context ??= new AudioContext();
  const { currentTime: startS, destination } = context;
  const gain = context.createGain();
  gain.gain.setValueAtTime(VOLUME, startS);
  gain.gain.exponentialRampToValueAtTime(0.0001, startS + LENGTH_S);
  gain.connect(destination);
  const note = context.createOscillator();
  note.frequency.setValueAtTime(LOW_HZ, startS);
  note.frequency.setValueAtTime(HIGH_HZ, startS + LENGTH_S / 3);
  note.connect(gain);
  note.start(startS);
  note.stop(startS + LENGTH_S);
}
