import { signal } from '@preact/signals';
import { browserStorage, readStored, writeStored } from '../../lib/storage.ts';
import type { PostPeriod, PostSort } from '@hearth/protocol';

/** The look of lists of posts. */
export type ListLook = 'cards' | 'lines';

export const SORTS: readonly PostSort[] = ['hot', 'new', 'active', 'top', 'controversial'];
export const PERIODS: readonly PostPeriod[] = ['day', 'week', 'month', 'year'];

const KEY = 'hearth.posts.look';

/** The reader's choice for all lists, kept in this browser. */
export class KeptLook {
  readonly #storage: Storage | undefined;
  readonly #look;

  constructor(storage = browserStorage('localStorage')) {
    this.#storage = storage;
    this.#look = signal<ListLook>(readStored(storage, KEY) === 'lines' ? 'lines' : 'cards');
  }

  get look(): ListLook {
    return this.#look.value;
  }

  choose(look: ListLook): void {
    this.#look.value = look;
    writeStored(this.#storage, KEY, look);
  }
}

const LOOK: { kept?: KeptLook } = {};

/** Returns the look of lists, for the page's lifetime. */
export function useKeptLook(): KeptLook {
  LOOK.kept ??= new KeptLook();
  return LOOK.kept;
}
