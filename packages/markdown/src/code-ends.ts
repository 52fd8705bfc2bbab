/** Finds the ends of code in a text: code ends with as many backticks as it begins with. Reads the text once. */
export class CodeEnds {
  readonly #text: string;
  /** The places where runs of backticks begin, the last first, by their lengths. */
  #places: Map<number, number[]> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The place of the first run of `length` backticks after the one at `start`. The starts only grow. */
  after(start: number, length: number): number | undefined {
    this.#places ??= placesIn(this.#text);
    const places = this.#places.get(length) ?? [];
    while ((places.at(-1) ?? Infinity) <= start) places.pop();
    return places.at(-1);
  }
}

function placesIn(text: string): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const { 0: ticks, index } of text.matchAll(/`+/g)) {
    const known = places.get(ticks.length);
    if (known === undefined) places.set(ticks.length, [index]);
    else known.push(index);
  }
  for (const each of places.values()) each.reverse();
  return places;
}
