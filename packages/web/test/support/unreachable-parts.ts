import { signal } from '@preact/signals';
import type { Client, ConnectionState, InstanceInfo } from '@hearth/sdk';
import { manualClock } from '@hearth/testing/manual-clock';
import { Attachments } from '../../src/conversation/attachments/attachments.ts';
import type { ConversationParts } from '../../src/conversation/conversation.ts';
import { OwnMessages } from '../../src/conversation/messages/own-messages.ts';
import { OwnNonces } from '../../src/writing/outbox/own-nonces.ts';
import { VIEWS } from '../../src/app/views.ts';
import { LazyViews } from '../../src/lib/views.ts';
import { MemoryStorage } from './memory-storage.ts';

/** The address of an instance that nobody reaches. */
export const UNREACHABLE = 'http://home.test:7159';

/** Its description. */
export const UNREACHABLE_INFO: InstanceInfo = {
  instance_name: 'Home',
  description: null,
  version: '0.3.2',
  message_limit: 100,
  oprish_url: UNREACHABLE,
  pandemonium_url: 'ws://home.test:7160',
  effis_url: 'http://home.test:7161',
  file_size: 1,
  attachment_file_size: 1,
};

/** The parts of its conversations. */
export function unreachableParts(client: Client, local: Storage): ConversationParts {
  const offline: ConnectionState = { state: 'idle' };
  return {
    client,
    connection: {
      state: signal(offline),
      online: signal(undefined),
      isOnline: signal(false),
      isReachable: signal(false),
      isBusy: signal(false),
      reconnectNow: () => {},
      [Symbol.dispose]: () => {},
    },
    attachments: new Attachments(client),
    author: signal('ada'),
    ownNonces: new OwnNonces(UNREACHABLE),
    ownMessages: new OwnMessages(local, UNREACHABLE),
    storages: { local, session: new MemoryStorage() },
    clock: { ...manualClock(), now: () => 1_000_000 },
    views: new LazyViews(VIEWS),
  };
}
