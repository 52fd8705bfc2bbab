import { Semaphore } from '../../lib/semaphore.ts';
import { PicturesUnavailableError } from './pictures.ts';

/** The most that a queue holds. */
export interface QueueBounds {
  /** The number of pictures that are processed at once. */
  readonly lanes: number;
  /** The number of pictures that may wait. */
  readonly most: number;
  readonly waitMs: number;
}

/** Runs some of what it is given at once, lets more wait, and refuses what is beyond that. */
export class PictureQueue {
  readonly #bounds: QueueBounds;
  readonly #permits: Semaphore;
  #present = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
    this.#permits = new Semaphore(bounds.lanes);
  }

  /** Rejects with what `work` rejects with, and with PicturesUnavailableError if it was not its turn in time. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { lanes, most, waitMs } = this.#bounds;
    if (this.#present >= lanes + most) throw new PicturesUnavailableError('too many are waiting');
    this.#present += 1;
    try {
      using permit = await this.#permits.acquire({ timeoutMs: waitMs });
      if (permit === undefined) throw new PicturesUnavailableError('it took too long');
      return await work();
    } finally {
      this.#present -= 1;
    }
  }
}
