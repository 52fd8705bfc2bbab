import { signal, type ReadonlySignal } from '@preact/signals';
import { accessCodeOf } from '@hearth/sdk';
import { isAccessCode } from '@hearth/protocol';
import { readStored, writeStored, type Storages } from '../lib/storage.ts';

export interface AccessCodeOptions {
  readonly storages: Storages;
  /** The address of the instance, which separates its code from those of others. */
  readonly instanceUrl: string;
  /** The address of the page, which may have a code. */
  readonly url: string;
}

/**
 * The access code that the reader has entered or come with. The browser keeps it once the instance has accepted it; until
 * then, the code of an invite link belongs to its tab.
 */
export class AccessCode {
  readonly #storages: Storages;
  readonly #key: string;
  readonly #code;

  constructor({ storages, instanceUrl, url }: AccessCodeOptions) {
    this.#storages = storages;
    this.#key = `hearth.code.${instanceUrl}`;
    const invited = [accessCodeOf(url), readStored(storages.session, this.#key)].find(isCode);
    const kept = readStored(storages.local, this.#key);
    this.#code = signal(invited ?? (isCode(kept) ? kept : undefined));
    if (invited !== undefined) writeStored(storages.session, this.#key, invited);
  }

  /** The code to send; undefined if there is none. */
  get current(): ReadonlySignal<string | undefined> {
    return this.#code;
  }

  /** Keeps a code that the instance has accepted. */
  keep(code: string): void {
    this.#code.value = code;
    writeStored(this.#storages.local, this.#key, code);
    writeStored(this.#storages.session, this.#key, undefined);
  }

  /** The instance has accepted the current code. */
  accepted(): void {
    const code = this.#code.peek();
    const isInvited = code !== undefined && readStored(this.#storages.session, this.#key) === code;
    if (isInvited) this.keep(code);
  }

  /**
   * The instance has refused the current code, which is forgotten. Returns whether the next page has another one: the one
   * that was kept before, or one that another page has kept since.
   */
  refused(): boolean {
    const { local, session } = this.#storages;
    writeStored(session, this.#key, undefined);
    const kept = readStored(local, this.#key);
    if (isCode(kept) && kept !== this.#code.peek()) return true;
    writeStored(local, this.#key, undefined);
    return false;
  }
}

/** The address without an access code; undefined if it has none. */
export function withoutCode(url: string): string | undefined {
  if (accessCodeOf(url) === undefined) return undefined;
  const clean = new URL(url);
  clean.hash = '';
  return clean.href;
}

function isCode(code: string | undefined): code is string {
  return code !== undefined && isAccessCode(code);
}
