import { nameOfPerson } from '../conversation/author.ts';
import type { Id, Member } from '@hearth/protocol';
import type { Client } from '@hearth/sdk';
import { summaryOf } from '../user/people-now.ts';
import { PagedList } from '../communities/paged-list.ts';

type MembersClient = Pick<Client, 'on' | 'communities'>;

/** The members of a community that is watched, by their names, as they join, leave and change. */
export class MemberList implements Disposable {
  readonly community: Id;
  readonly list: PagedList<Member>;
  readonly #offs: readonly (() => void)[];
  #isNeeded = false;
  #wasOpen = true;

  constructor(client: MembersClient, community: Id) {
    this.community = community;
    this.list = new PagedList((cursor) => client.communities.members.list(community, { cursor }));
    const isHere = (event: { readonly community_id: Id }) => event.community_id === community;
    this.#offs = [
      client.on('member', (member) => {
        if (isHere(member)) this.#put(member);
      }),
      client.on('memberRemoved', (event) => {
        if (isHere(event)) this.#remove(event.user_id);
      }),
      client.on('user', (user) => {
        const member = this.#entries.find((each) => each.user.id === user.id);
        if (member === undefined) return;
        const { nickname, ...rest } = member;
        const isNamed = nickname !== undefined && user.deleted !== true;
        this.#put({ ...rest, user: summaryOf(user), ...(isNamed && { nickname }) });
      }),
      client.on('connection', ({ state }) => {
        const isOpen = state === 'open';
        // Nothing is reported while the connection is away, which it may have been from the start.
        const isOld = !this.#wasOpen || this.list.asked.peek().state === 'failed';
        if (isOpen && isOld && this.#isNeeded) void this.list.load();
        this.#wasOpen = isOpen;
      }),
    ];
  }

  /** Loads the first page, if that has not happened yet. */
  need(): void {
    if (this.#isNeeded) return;
    this.#isNeeded = true;
    void this.list.load();
  }

  [Symbol.dispose](): void {
    for (const off of this.#offs) off();
  }

  get #entries(): readonly Member[] {
    const { value: asked } = this.list.asked;
    return asked.state === 'there' ? asked.value.entries : [];
  }

  #put(member: Member): void {
    const hasMore = hasNext(this.list);
    this.list.change((entries) => {
      const others = entries.filter(({ user }) => user.id !== member.user.id);
      const index = others.findIndex((each) => compareNames(member, each) < 0);
      if (index !== -1) return others.toSpliced(index, 0, member);
      // It comes with a later page.
      return hasMore ? others : [...others, member];
    });
  }

  #remove(id: Id): void {
    this.list.change((entries) => entries.filter(({ user }) => user.id !== id));
  }
}

function compareNames(one: Member, other: Member): number {
  const [first, second] = [one, other].map(({ user, nickname }) => nameOfPerson(user, nickname));
  return (first ?? '').localeCompare(second ?? '');
}

function hasNext({ asked }: Pick<PagedList<Member>, 'asked'>): boolean {
  const { value } = asked;
  return value.state === 'there' && value.value.next !== undefined;
}
