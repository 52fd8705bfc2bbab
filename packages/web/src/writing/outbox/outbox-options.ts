import type { ReadonlySignal } from '@preact/signals';
import type { Client, ClientEvents, ConnectionState, SdkClock } from '@hearth/sdk';
import type { OutboxStore } from './outbox-store.ts';
import type { OwnNonces } from './own-nonces.ts';

type OutboxEvents = Pick<ClientEvents, 'gap' | 'limit'>;

/** The client by which messages are sent. */
export interface OutboxClient extends Pick<Client, 'isHearth' | 'send'> {
  /** Calls `listener` with every event of that name until the returned function is called. */
  on<Name extends keyof OutboxEvents>(
    name: Name,
    listener: (event: OutboxEvents[Name]) => void,
  ): () => void;
}

export interface OutboxOptions {
  readonly client: OutboxClient;
  /** The author of new messages. */
  readonly author: ReadonlySignal<string>;
  readonly connection: ReadonlySignal<ConnectionState>;
  /** True if posting is worth a try. */
  readonly isReachable: ReadonlySignal<boolean>;
  readonly store: OutboxStore;
  /** Called with each message written here, before it is sent. */
  readonly ownNonces: Pick<OwnNonces, 'add'>;
  /** Sees the outcome of each attempt. */
  readonly refusals?: { watch<Value>(attempt: Promise<Value>): Promise<Value> };
  /** When the place lets the reader write again; our Unix clock. */
  readonly slowUntilMs?: ReadonlySignal<number> | undefined;
  readonly clock: SdkClock;
}
