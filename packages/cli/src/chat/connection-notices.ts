import type { ConnectionState } from '@hearth/sdk';
import { SESSION_ENDED } from '../accounts/refusals.ts';

type Waiting = Extract<ConnectionState, { state: 'waiting' }>;
type Closed = Extract<ConnectionState, { state: 'closed' }>;

const EXPLANATIONS: Readonly<Record<Waiting['reason'], string>> = {
  network: '',
  dead: ' (the server received no heartbeat)',
  rate_limited: ' (too many connections in too short a time)',
  too_slow: ' (messages were read too slowly)',
  full: ' (the server is full)',
  banned: ' (you are banned)',
  access_code: ' (the server needs another access code)',
  unauthorized: ' (you are signed out)',
  shutdown: ' (the server is stopping)',
  // Gateways of the documented interface give this reason whenever they close a connection themselves.
  server_error: '',
};

/** Reports once when the connection to the gateway is lost, and once when it is back. */
export class ConnectionNotices {
  readonly #notice: (text: string) => void;
  #state: 'new' | 'well' | 'unreached' | 'lost' = 'new';
  #mayMiss = false;

  constructor(notice: (text: string) => void) {
    this.#notice = notice;
  }

  /** `well` while messages arrive, `away` while they do not, `new` before the first attempt. */
  get state(): 'new' | 'well' | 'away' {
    return this.#state === 'lost' || this.#state === 'unreached' ? 'away' : this.#state;
  }

  connection(state: ConnectionState): void {
    if (state.state === 'closed') this.#notice(refusalOf(state));
    else if (state.state === 'waiting') this.#lost(state);
    else if (state.state === 'open' && state.isCurrent) this.#back();
  }

  /** Messages may be missing. */
  gap(): void {
    if (this.#state === 'well') this.#notice('messages may be missing here');
    else this.#mayMiss = true;
  }

  #lost({ reason, retryAtMs }: Waiting): void {
    if (this.state === 'away') return;
    const isNew = this.#state === 'new';
    this.#state = isNew ? 'unreached' : 'lost';
    const what = isNew ? 'cannot reach the gateway' : 'connection lost';
    const seconds = Math.max(1, Math.ceil((retryAtMs - Date.now()) / 1000));
    this.#notice(`${what}${EXPLANATIONS[reason]}, trying again in ${seconds} s`);
  }

  #back(): void {
    if (this.#mayMiss) this.#notice('reconnected: messages may be missing');
    else if (this.#state === 'lost') this.#notice('reconnected, nothing was missed');
    else if (this.#state === 'unreached') this.#notice('connected');
    this.#state = 'well';
    this.#mayMiss = false;
  }
}

function refusalOf({ reason }: Closed): string {
  if (reason === 'banned') return 'you are banned from this server';
  if (reason === 'access_code') return 'the server needs another access code';
  if (reason === 'unauthorized') return SESSION_ENDED;
  return 'the server refuses connections from this client';
}
