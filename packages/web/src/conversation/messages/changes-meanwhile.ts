import type { Id } from '@hearth/protocol';
import { withReaction, type LobbyMessage } from '@hearth/sdk';
import type { ChangesSource } from '../conversation-source.ts';
import { withOwn } from './entry-log.ts';

type Change = (message: LobbyMessage) => LobbyMessage;

/** Changes of messages while a page is loaded that may still have their old versions. */
export class ChangesMeanwhile implements Disposable {
  readonly #removed = new Set<Id>();
  readonly #changes = new Map<Id, readonly Change[]>();
  readonly #offs: readonly (() => void)[];

  constructor(source: ChangesSource) {
    const add = (id: Id | undefined, change: Change) => {
      if (id !== undefined) this.#changes.set(id, [...(this.#changes.get(id) ?? []), change]);
    };
    this.#offs = [
      source.on('messageDelete', ({ id }) => this.#removed.add(id)),
      source.on('messageUpdate', (changed) => {
        const { version = Infinity } = changed;
        add(changed.id, (known) => {
          if (version < (known.version ?? 1)) return known;
          const reactions = withOwn(changed.reactions, known.reactions);
          return { ...known, ...changed, ...(reactions && { reactions }) };
        });
      }),
      source.on('reaction', (change) => add(change.id, (known) => withReaction(known, change))),
    ];
  }

  /** The page with the changes applied. */
  appliedTo(page: readonly LobbyMessage[]): readonly LobbyMessage[] {
    return page
      .filter(({ id }) => !this.#removed.has(id))
      .map((message) => {
        const changes = this.#changes.get(message.id) ?? [];
        return changes.reduce((changed, change) => change(changed), message);
      });
  }

  [Symbol.dispose](): void {
    for (const off of this.#offs) off();
  }
}
