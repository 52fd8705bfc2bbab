import { channelStream, communityStream, type Id, type OwnCommunity } from '@hearth/protocol';
import { channelSchema } from '@hearth/protocol/schemas';
import { channelOf, ChannelView, type Placed } from './channel-view.ts';
import { CommunityView, type Watched } from './community-view.ts';
import type { Person } from './person.ts';

/** One community as a client shows it, with the messages of all channels. */
export class View {
  readonly #person: Person;
  readonly #id: Id;
  readonly #community: CommunityView;
  readonly #channels = new Map<string, ChannelView>();
  #opening = 0;

  constructor(person: Person, id: Id) {
    [this.#person, this.#id] = [person, id];
    this.#community = new CommunityView(person, id);
  }

  /** True while something is being read. */
  get isReading(): boolean {
    const isReadingMessages = this.#channels.values().some(({ isReading }) => isReading);
    return isReadingMessages || this.#opening > 0 || this.#community.isReading;
  }

  get shown() {
    const messages = Array.from(this.#channels, ([id, { shown }]) => [id, shown] as const);
    return { ...this.#community.shown, messages: Object.fromEntries(messages) };
  }

  get members(): readonly string[] | undefined {
    return this.#community.members;
  }

  /** Shows what READY has, and goes on with the channels of streams that were continued. */
  reset(own: OwnCommunity | undefined, recovered: readonly string[]): void {
    for (const [id, { stream }] of this.#channels) {
      if (!recovered.includes(stream)) this.#channels.delete(id);
    }
    if (own === undefined) this.#community.close();
    else {
      const { membership, roles, channels, permissions: _, ...community } = own;
      this.#community.begin({
        ...{ community, membership },
        roles: new Map(roles.map((role) => [role.id, role])),
        channels: new Map(channels.map((channel) => [channel.id, channel])),
      });
    }
    this.#showMessages();
  }

  /** Begins to show what a stream has that was opened, or lost and goes on. */
  async open(stream: string): Promise<void> {
    this.#opening += 1;
    try {
      if (stream.startsWith('r:')) await this.#openChannel(stream);
      else if (stream === communityStream(this.#id) || stream === `u:${this.#person.id}`) {
        this.#close((channel) => channel.stream === stream);
        await this.#readCommunity();
      }
    } finally {
      this.#opening -= 1;
    }
  }

  /** Reads the members, which are watched from now on. */
  watch(): void {
    void this.#community.readMembers();
  }

  /** Shows nothing of a stream any more. */
  close(stream: string): void {
    if (stream === communityStream(this.#id)) {
      this.#community.close();
      this.#close(() => true);
    }
    this.#close((channel) => channel.stream === stream);
    if (!stream.startsWith('r:')) return;
    // Guarantee: it is the name of a stream of a channel.
    const d = { id: stream.slice(2) as Id, community_id: this.#id };
    this.#community.apply({ op: 'CHANNEL_DELETE', t: stream, s: 0, d });
  }

  /** Applies an event. */
  apply(event: Placed | Watched): void {
    if ('t' in event) this.#applyPlaced(event);
    else if (event.op === 'MEMBER_DELETE' || event.d.community_id === this.#id) {
      this.#community.apply(event);
    }
  }

  #applyPlaced(event: Placed): void {
    this.#community.apply(event);
    if (event.op === 'CHANNEL_CREATE' && event.d.kind === 'messages') {
      this.#show(event.d.id, event.t);
    }
    if (event.op === 'CHANNEL_DELETE' && this.#channels.get(event.d.id)?.stream === event.t) {
      this.#channels.delete(event.d.id);
    }
    // Somebody may become a member of what they visit.
    if (event.op === 'COMMUNITY_CREATE') void this.#readCommunity();
    const channel = this.#channels.get(channelOf(event) ?? '');
    if (channel?.stream === event.t) channel.apply(event);
  }

  async #readCommunity(): Promise<void> {
    this.#opening += 1;
    try {
      if (await this.#community.read()) this.#showMessages();
    } finally {
      this.#opening -= 1;
    }
  }

  async #openChannel(stream: string): Promise<void> {
    this.#close((channel) => channel.stream === stream);
    const { status, body } = await this.#person.ask('GET', `/channels/${stream.slice(2)}`);
    // Without access, or if it is not restricted any more, another event follows.
    if (status !== 200) return;
    const channel = channelSchema.parse(body);
    if (!channel.restricted) return;
    this.#community.apply({ op: 'CHANNEL_CREATE', t: stream, s: 0, d: channel });
    if (channel.kind === 'messages') this.#show(channel.id, stream);
  }

  /** Shows the messages of the channels of the community, and of no others. */
  #showMessages(): void {
    const all = [...(this.#community.structure?.channels.values() ?? [])];
    const channels = all.filter(({ kind }) => kind === 'messages');
    this.#close((_, id) => !channels.some((channel) => channel.id === id));
    for (const { id, restricted } of channels) {
      const stream = restricted === true ? channelStream(id) : communityStream(this.#id);
      if (this.#channels.get(id)?.stream !== stream) this.#show(id, stream);
    }
  }

  #show(id: string, stream: string): void {
    this.#channels.set(id, new ChannelView(this.#person, id, stream));
  }

  #close(isClosed: (channel: ChannelView, id: string) => boolean): void {
    for (const [id, channel] of this.#channels) {
      if (isClosed(channel, id)) this.#channels.delete(id);
    }
  }
}
