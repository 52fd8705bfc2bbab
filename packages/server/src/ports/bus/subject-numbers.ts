import type { SubjectNumber, Verdict } from './bus.ts';

/** The number of subjects of which the bus remembers the last number. */
export const MOST_SUBJECTS = 65_536;

export const TAKEN: Verdict = { state: 'taken' };
export const HAD: Verdict = { state: 'had' };
export const UNKNOWN: Verdict = { state: 'unknown' };

/** The last number of each subject. If there are too many, the least recently used one is forgotten. */
export class SubjectNumbers {
  readonly #most: number;
  readonly #numbers = new Map<string, number>();

  constructor(most = MOST_SUBJECTS) {
    this.#most = most;
  }

  /** Accepts a number if it is the next one of its subject. */
  take({ subject, number, after }: SubjectNumber): Verdict {
    const known = this.#numbers.get(subject);
    if (known === undefined && after === undefined) return UNKNOWN;
    const last = Math.max(known ?? 0, after ?? 0);
    if (number > last + 1) return { state: 'missing', last };
    this.#note(subject, Math.max(last, number));
    return number <= last ? HAD : TAKEN;
  }

  #note(subject: string, number: number): void {
    this.#numbers.delete(subject);
    this.#numbers.set(subject, number);
    if (this.#numbers.size <= this.#most) return;
    for (const oldest of this.#numbers.keys()) {
      this.#numbers.delete(oldest);
      return;
    }
  }
}
