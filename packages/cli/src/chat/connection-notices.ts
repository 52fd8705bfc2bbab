import type { ConnectionState } from '@hearth/sdk';

type Waiting = Extract<ConnectionState, { state: 'waiting' }>;

const EXPLANATIONS: Readonly<Record<Waiting['reason'], string>> = {
  network: '',
  dead: ' (the instance heard nothing of it)',
  rate_limited: ' (too many connections in too short a time)',
  too_slow: ' (too much waited to be read)',
  full: ' (the instance is full)',
  shutdown: ' (the instance stops)',
  // Documented gateways say so of all that they intend themselves.
  server_error: '',
};

/** Tells what becomes of the connection to the gateway: once that it is lost, and once that it is back. */
export class ConnectionNotices {
  readonly #tell: (notice: string) => void;
  #state: 'new' | 'well' | 'unreached' | 'lost' = 'new';
  #mayMiss = false;

  constructor(tell: (notice: string) => void) {
    this.#tell = tell;
  }

  /** Whether messages come in; `new` until it is known, and `away` when it is known that none do. */
  get state(): 'new' | 'well' | 'away' {
    return this.#state === 'lost' || this.#state === 'unreached' ? 'away' : this.#state;
  }

  connection(state: ConnectionState): void {
    if (state.state === 'closed') this.#tell('the instance wants no connection of this client');
    else if (state.state === 'waiting') this.#lost(state);
    else if (state.state === 'open' && state.isCurrent) this.#back();
  }

  /** Messages may be missing. */
  gap(): void {
    if (this.#state === 'well') this.#tell('something may be missing here');
    else this.#mayMiss = true;
  }

  #lost({ reason, retryAtMs }: Waiting): void {
    if (this.state === 'away') return;
    const isNew = this.#state === 'new';
    this.#state = isNew ? 'unreached' : 'lost';
    const what = isNew ? 'cannot reach the gateway' : 'connection lost';
    const seconds = Math.max(1, Math.ceil((retryAtMs - Date.now()) / 1000));
    this.#tell(`${what}${EXPLANATIONS[reason]}, trying again in ${seconds} s`);
  }

  #back(): void {
    if (this.#mayMiss) this.#tell('back: something may be missing');
    else if (this.#state === 'lost') this.#tell('back, nothing missed');
    else if (this.#state === 'unreached') this.#tell('connected');
    this.#state = 'well';
    this.#mayMiss = false;
  }
}
