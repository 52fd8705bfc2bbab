import type { ReadonlySignal } from '@preact/signals';
import type { ConnectionState, SdkClock } from '@hearth/sdk';
import type { ConversationSource } from '../conversation-source.ts';
import type { Refusals } from '../refusals.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { OwnNonces } from './own-nonces.ts';

/** What an outbox needs. */
export interface OutboxOptions {
  readonly client: Pick<ConversationSource, 'isHearth' | 'on' | 'send'>;
  /** The author of new messages. */
  readonly author: ReadonlySignal<string>;
  readonly connection: ReadonlySignal<ConnectionState>;
  /** Whether posting is worth a try. */
  readonly isReachable: ReadonlySignal<boolean>;
  readonly store: OutboxStore;
  /** Called with each message written here, before it is sent. */
  readonly ownNonces: Pick<OwnNonces, 'add'>;
  /** Sees the outcome of each attempt. */
  readonly refusals?: Pick<Refusals, 'watch'>;
  /** When the place lets the reader write again; our Unix clock. */
  readonly slowUntilMs?: ReadonlySignal<number> | undefined;
  readonly clock: SdkClock;
}
