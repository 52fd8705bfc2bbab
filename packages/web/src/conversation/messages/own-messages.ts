import { parseId, type Id } from '@hearth/protocol';
import { readStored, writeStored } from '../../lib/storage.ts';

/** The number of messages that are remembered: older ones are far above. */
const MOST = 1_000;

/** The messages that were written in this browser: the history does not say. */
export class OwnMessages {
  readonly #storage: Storage | undefined;
  readonly #key: string;
  #ids: Set<Id>;

  /** `storage` is the browser's, if it has one; `instance` is an address that identifies the instance. */
  constructor(storage: Storage | undefined, instance: string) {
    this.#storage = storage;
    this.#key = `hearth.own ${instance}`;
    this.#ids = this.#read();
  }

  /** Returns whether a message is one of them. */
  has(id: Id): boolean {
    return this.#ids.has(id);
  }

  /** Remembers a message. */
  add(id: Id): void {
    if (this.#ids.has(id)) return;
    // Other windows of this browser also write.
    const ids = [...this.#read(), ...this.#ids, id];
    this.#ids = new Set([...new Set(ids)].slice(-MOST));
    writeStored(this.#storage, this.#key, [...this.#ids].join(' '));
  }

  #read(): Set<Id> {
    const text = readStored(this.#storage, this.#key) ?? '';
    return new Set(text.split(' ').flatMap((word) => parseId(word) ?? []));
  }
}
