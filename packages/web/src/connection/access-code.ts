import { signal, type ReadonlySignal } from '@preact/signals';
import { accessCodeOf } from '@hearth/sdk';
import { isAccessCode } from '@hearth/protocol';
import { readStored, writeStored } from '../lib/storage.ts';

/** What an access code needs from the page. */
export interface AccessCodeOptions {
  /** The browser's; undefined if it has none or forbids it. */
  readonly storage: Storage | undefined;
  /** The address of the instance, which separates its code from those of others. */
  readonly instanceUrl: string;
  /** The address of the page, which may have a code. */
  readonly url: string;
}

/** The access code that the reader has entered or come with, kept in this browser. */
export class AccessCode {
  readonly #storage: Storage | undefined;
  readonly #key: string;
  readonly #code;

  constructor({ storage, instanceUrl, url }: AccessCodeOptions) {
    this.#storage = storage;
    this.#key = `hearth.code.${instanceUrl}`;
    const invited = accessCodeOf(url);
    const stored = readStored(storage, this.#key);
    const known = [invited, stored].find((code) => code !== undefined && isAccessCode(code));
    this.#code = signal(known);
    if (known !== undefined) this.keep(known);
  }

  /** The code to send; undefined if there is none. */
  get current(): ReadonlySignal<string | undefined> {
    return this.#code;
  }

  /** Keeps a code that the instance has accepted. */
  keep(code: string): void {
    this.#code.value = code;
    writeStored(this.#storage, this.#key, code);
  }

  /** Forgets a code that the instance has refused, unless another page has stored another one. */
  forget(): void {
    const isSame = readStored(this.#storage, this.#key) === this.#code.peek();
    if (isSame) writeStored(this.#storage, this.#key, undefined);
  }
}

/** The address without an access code; undefined if it has none. */
export function withoutCode(url: string): string | undefined {
  if (accessCodeOf(url) === undefined) return undefined;
  const clean = new URL(url);
  clean.hash = '';
  return clean.href;
}
