import type { Id } from '@hearth/protocol';
import type { LobbyMessage, ReceivedMessage } from '@hearth/sdk';
import type { ConversationSource } from '../conversation-source.ts';

/** Changes of messages while a page is loaded that may still have their old versions. */
export class ChangesMeanwhile implements Disposable {
  readonly #removed = new Set<Id>();
  readonly #updated = new Map<Id, ReceivedMessage>();
  readonly #offs: readonly (() => void)[];

  constructor(source: Pick<ConversationSource, 'on'>) {
    this.#offs = [
      source.on('messageDelete', ({ id }) => this.#removed.add(id)),
      source.on('messageUpdate', (message) => {
        if (message.id !== undefined) this.#updated.set(message.id, message);
      }),
    ];
  }

  /** The page with the changes applied. */
  appliedTo(page: readonly LobbyMessage[]): readonly LobbyMessage[] {
    return page
      .filter(({ id }) => !this.#removed.has(id))
      .map((message) => ({ ...message, ...this.#updated.get(message.id) }));
  }

  [Symbol.dispose](): void {
    for (const off of this.#offs) off();
  }
}
