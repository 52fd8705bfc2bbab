import type { FoundNumbers, NumberRange } from './numbers-with.ts';

/** The numbers of messages that the index does not have as they are now. They are found in their place. */
export class EditedNumbers {
  /** The largest first. */
  #left: readonly number[];

  constructor(numbers: readonly number[], { firstNumber, lastNumber }: NumberRange) {
    this.#left = numbers
      .filter((number) => number >= firstNumber && number <= lastNumber)
      .toSorted((one, other) => other - one);
  }

  /** The numbers that were found, together with those of edited messages down to the same number; the largest first. */
  among({ numbers, reached }: Pick<FoundNumbers, 'numbers' | 'reached'>): readonly number[] {
    const end = this.#left.findIndex((number) => number < reached);
    const within = end === -1 ? this.#left : this.#left.slice(0, end);
    if (within.length === 0) return numbers;
    this.#left = this.#left.slice(within.length);
    return [...new Set([...numbers, ...within])].toSorted((one, other) => other - one);
  }
}
