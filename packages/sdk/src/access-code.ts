import { isAccessCode, type Capabilities } from '@hearth/protocol';
import { HearthError } from './errors.ts';

/** The instance's access code, or a function that returns it. */
export type AccessCodeOption = string | (() => string | undefined);

/** The access code to send now. Throws HearthError if it is not one, without quoting it. */
export function accessCodeNow(option: AccessCodeOption | undefined): string | undefined {
  const code = typeof option === 'function' ? option() : option;
  if (code === undefined || code === '') return undefined;
  if (isAccessCode(code)) return code;
  throw new HearthError('The access code has characters or a length that no access code has');
}

/** The known part of an instance's abilities: see `Abilities`. */
export interface KnownAbilities {
  readonly known: Capabilities | undefined;
  readonly isSettled: boolean;
  learn(signal?: AbortSignal): Promise<unknown>;
}

/** The access code for one instance. It is only sent if the instance asks for it. */
export class AccessCode {
  readonly #option: AccessCodeOption | undefined;
  readonly #abilities: KnownAbilities;
  #wasMissed = false;

  constructor(option: AccessCodeOption | undefined, abilities: KnownAbilities) {
    this.#option = option;
    this.#abilities = abilities;
  }

  /**
   * Asks the instance whether it needs a code. Undefined if there is no code, or if that is known. The promise rejects only
   * if it is aborted.
   */
  prepare(signal: AbortSignal | undefined): Promise<unknown> | undefined {
    if (this.#wasMissed || this.#abilities.isSettled || !this.#exists) return undefined;
    return this.#abilities.learn(signal);
  }

  /** The code to send; undefined if there is none, or if the instance has not asked for it. Throws HearthError if it cannot be sent. */
  get current(): string | undefined {
    const isAsked = this.#wasMissed || this.#abilities.known?.access_code === true;
    return isAsked ? accessCodeNow(this.#option) : undefined;
  }

  /** Notes that the instance refused a request or a connection without the code. Returns whether there is a code. */
  missed(): boolean {
    this.#wasMissed = true;
    return this.#exists;
  }

  get #exists(): boolean {
    const code = typeof this.#option === 'function' ? this.#option() : this.#option;
    return code !== undefined && code !== '';
  }
}

/** The access code in an invite link, such as `https://chat.example.org/#code=…`; undefined if it has none. */
export function accessCodeOf(url: string | URL): string | undefined {
  const [, fragment = ''] = /#(.*)$/s.exec(String(url)) ?? [];
  return new URLSearchParams(fragment).get('code') || undefined;
}
