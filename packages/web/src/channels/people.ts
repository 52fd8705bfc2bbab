import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Id, Member, UserSummary } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { summaryOf } from '../user/people-now.ts';

/** Somebody who is there, and whether they want to be disturbed. */
export interface Present {
  readonly user: UserSummary;
  readonly status: 'online' | 'idle' | 'busy';
}

type PeopleClient = Pick<Client, 'on' | 'communities'>;

/** The people who are there in the community that is watched. */
export class People implements Disposable {
  readonly #client: PeopleClient;
  readonly #present = signal<ReadonlyMap<Id, Present>>(new Map());
  readonly #offs: readonly (() => void)[];
  #community: Id | undefined;

  constructor(client: PeopleClient) {
    this.#client = client;
    this.#offs = [
      client.on('watched', ({ communities }) => {
        const watched = communities.find(({ id }) => id === this.#community);
        const present = (watched?.online ?? []).flatMap(({ user, status }) =>
          status === 'offline' ? [] : [[user.id, { user, status }] as const],
        );
        this.#present.value = new Map(present);
      }),
      client.on('presence', ({ user_id: id, status }) => {
        if (status === 'offline') this.#gone(id);
        else void this.#came(id, status);
      }),
      client.on('user', (user) => {
        const known = this.#present.peek().get(user.id);
        if (known === undefined) return;
        this.#present.value = new Map(this.#present.peek()).set(user.id, {
          ...known,
          user: summaryOf(user),
        });
      }),
      client.on('memberRemoved', ({ user_id: id }) => this.#gone(id)),
    ];
  }

  /** By their names. */
  readonly present: ReadonlySignal<readonly Present[]> = computed(() =>
    [...this.#present.value.values()].toSorted((one, other) =>
      one.user.username.localeCompare(other.user.username),
    ),
  );

  /** From now on, the people of this community are shown. */
  watch(community: Id | undefined): void {
    if (community === this.#community) return;
    this.#community = community;
    this.#present.value = new Map();
  }

  [Symbol.dispose](): void {
    for (const off of this.#offs) off();
  }

  async #came(id: Id, status: Present['status']): Promise<void> {
    const community = this.#community;
    if (community === undefined) return;
    const user = this.#present.peek().get(id)?.user ?? (await this.#find(community, id))?.user;
    if (user === undefined || community !== this.#community) return;
    this.#present.value = new Map(this.#present.peek()).set(id, { user, status });
  }

  #gone(id: Id): void {
    const others = new Map(this.#present.peek());
    if (others.delete(id)) this.#present.value = others;
  }

  /** Somebody who has left again meanwhile is not found. */
  async #find(community: Id, user: Id): Promise<Member | undefined> {
    try {
      return await this.#client.communities.members.find({
        community_id: community,
        user_id: user,
      });
    } catch {
      return undefined;
    }
  }
}
