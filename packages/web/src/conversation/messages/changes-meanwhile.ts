import type { Id } from '@hearth/protocol';
import type { Client, LobbyMessage, ReceivedMessage } from '@hearth/sdk';

/** Changes of messages while a page is loaded that may still have their old versions. */
export class ChangesMeanwhile implements Disposable {
  readonly #removed = new Set<Id>();
  readonly #updated = new Map<Id, ReceivedMessage>();
  readonly #offs: readonly (() => void)[];

  constructor(client: Pick<Client, 'on'>) {
    this.#offs = [
      client.on('messageDelete', ({ id }) => this.#removed.add(id)),
      client.on('messageUpdate', (message) => {
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
