import type { Id, OwnCommunity, StreamEvent, WatchedEvent } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { isOfPerson, type PersonNews } from '../../communities/members/members.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { GatewayPart } from '../../../gateway-host.ts';
import type { EventDelivery } from '../../../ports/bus/bus.ts';
import type { Watching } from '../watching/watching.ts';

type Op = 'MEMBER_UPDATE' | 'MEMBER_LEAVE' | 'COMMUNITY_CREATE';
type OwnEvent = Extract<StreamEvent, { op: Op }>;
type Joined = Pick<OwnCommunity, 'id' | 'membership'>;

/** Sends what happens to members to those who watch their communities. */
export class MemberNews implements GatewayPart {
  readonly #ctx: Pick<Context, 'log'> & KeepsUsers;
  readonly #watching: Pick<Watching, 'sendIn' | 'sendAbout'>;
  readonly #isWatched: (community: Id) => boolean;

  constructor(
    ctx: Pick<Context, 'log'> & KeepsUsers,
    watching: Pick<Watching, 'sendIn' | 'sendAbout'>,
    isWatched: (community: Id) => boolean,
  ) {
    [this.#ctx, this.#watching, this.#isWatched] = [ctx, watching, isWatched];
  }

  /** Handles an event of a stream about a person: every process receives all of them, so nothing else has to be sent. */
  take({ stream, event }: EventDelivery): void {
    if (isOfPerson(stream)) {
      // Guarantee: nothing else is published in these streams.
      const { user, communities } = event.d as PersonNews;
      const watched = communities.filter((id) => this.#isWatched(id));
      return this.#watching.sendAbout(user.id, watched, { op: 'USER_UPDATE', d: user });
    }
    if (!stream.startsWith('u:')) return;
    // Guarantee: it is the name of a stream of a user, and verbs publish only events of the protocol.
    const user = stream.slice(2) as Id;
    const { op, d } = event as OwnEvent;
    switch (op) {
      case 'MEMBER_UPDATE':
        return this.#send(d.community_id, user, { op, d });
      case 'MEMBER_LEAVE': {
        const gone = { community_id: d.community_id, user_id: user };
        return this.#send(d.community_id, user, { op: 'MEMBER_DELETE', d: gone });
      }
      case 'COMMUNITY_CREATE':
        if (this.#isWatched(d.id)) void this.#joined(user, d);
    }
  }

  async #joined(user: Id, { id, membership }: Joined): Promise<void> {
    try {
      const d = { user: await this.#ctx.users.get(user), community_id: id, ...membership };
      this.#send(id, user, { op: 'MEMBER_CREATE', d });
    } catch (err) {
      this.#ctx.log.debug({ err }, 'it is not known who has joined');
    }
  }

  #send(community: Id, user: Id, event: WatchedEvent): void {
    if (this.#isWatched(community)) this.#watching.sendIn(community, event, user);
  }
}
