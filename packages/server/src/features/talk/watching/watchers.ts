import type { Id } from '@hearth/protocol';
import type { ConnectedClient } from '../../../gateway-host.ts';

/** The clients that watch channels, posts and communities. */
export interface Watched {
  readonly channels: Watchers;
  readonly posts: Watchers;
  readonly communities: Watchers;
}

/** The watchers of a gateway without clients. */
export function newWatched(): Watched {
  return { channels: new Watchers(), posts: new Watchers(), communities: new Watchers() };
}

export class Watchers {
  readonly #byId = new Map<Id, Set<ConnectedClient>>();

  replace(socket: ConnectedClient, former: readonly Id[], ids: readonly Id[]): void {
    for (const id of former) {
      const watchers = this.#byId.get(id);
      watchers?.delete(socket);
      if (watchers?.size === 0) this.#byId.delete(id);
    }
    for (const id of ids) this.#byId.getOrInsertComputed(id, () => new Set()).add(socket);
  }

  of(id: Id): Iterable<ConnectedClient> {
    return this.#byId.get(id) ?? [];
  }

  has(id: Id): boolean {
    return this.#byId.has(id);
  }

  /** Everything that is watched. */
  ids(): Iterable<Id> {
    return this.#byId.keys();
  }
}
