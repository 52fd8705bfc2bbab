import {
  channelStream,
  communityStream,
  type AccountEvent,
  type ChannelMessage,
  type Id,
} from '@hearth/protocol';
import {
  channelMessageListSchema,
  channelSchema,
  ownCommunitySchema,
} from '@hearth/protocol/schemas';
import type { Person } from './person.ts';

/** What a view shows of a message, as text. */
export type Shown = string;

/** How many messages a page has. */
const PAGE = 100;

/** Events with a place in a stream. */
export type Placed = Extract<AccountEvent, { readonly t: string }>;

/** A channel that a client shows. */
interface ShownChannel {
  readonly stream: string;
  messages: Map<string, ChannelMessage>;
  /** The events since its messages are being read; undefined if they are not. */
  missed: Placed[] | undefined;
}

/** What a client shows of one community, kept up to date by events as the specification says. */
export class View {
  readonly #person: Person;
  readonly #community: Id;
  readonly #channels = new Map<string, ShownChannel>();

  constructor(person: Person, community: Id) {
    this.#person = person;
    this.#community = community;
  }

  /** Whether something is being read. */
  get isReading(): boolean {
    return this.#channels.values().some(({ missed }) => missed !== undefined) || this.#opening > 0;
  }

  #opening = 0;

  /** The messages of each channel, the oldest first. */
  get shown(): Readonly<Record<string, readonly Shown[]>> {
    return Object.fromEntries(
      Array.from(this.#channels, ([id, { messages }]) => [
        id,
        shownOf(Array.from(messages.values())),
      ]),
    );
  }

  /** Replaces everything but the channels of streams that were continued. */
  reset(
    channels: readonly { readonly id: Id; readonly kind: string; readonly restricted?: true }[],
    recovered: readonly string[],
  ): void {
    const now = new Map(
      channels
        .filter(({ kind }) => kind === 'messages')
        .map(({ id, restricted }) => [id, this.#streamOf(id, restricted)] as const),
    );
    for (const [id, { stream }] of this.#channels) {
      if (now.get(id as Id) !== stream || !recovered.includes(stream)) this.#channels.delete(id);
    }
    for (const [id, stream] of now) if (!this.#channels.has(id)) this.#show(id, stream);
  }

  /** Begins to show what a stream has that was opened, or lost and goes on. */
  async open(stream: string): Promise<void> {
    this.#opening += 1;
    try {
      if (stream.startsWith('r:')) {
        const { status, body } = await this.#person.ask('GET', `/channels/${stream.slice(2)}`);
        // Without access, or if it is not restricted any more, another event follows.
        if (status !== 200) return;
        const channel = channelSchema.parse(body);
        if (channel.kind === 'messages' && channel.restricted) this.#show(channel.id, stream);
      }
      if (stream === communityStream(this.#community)) {
        const path = `/users/me/communities/${this.#community}`;
        const { status, body } = await this.#person.ask('GET', path);
        if (status !== 200) return;
        for (const { id, kind, restricted } of ownCommunitySchema.parse(body).channels) {
          if (kind === 'messages' && !restricted) this.#show(id, stream);
        }
      }
    } finally {
      this.#opening -= 1;
    }
  }

  /** Shows nothing of a stream any more. */
  close(stream: string): void {
    for (const [id, channel] of this.#channels) {
      if (channel.stream === stream) this.#channels.delete(id);
    }
  }

  /** Applies an event. */
  apply(event: Placed): void {
    if (event.op === 'CHANNEL_CREATE' && event.d.community_id === this.#community) {
      if (event.d.kind === 'messages') this.#show(event.d.id, event.t);
    }
    if (event.op === 'CHANNEL_DELETE' && this.#channels.get(event.d.id)?.stream === event.t) {
      this.#channels.delete(event.d.id);
    }
    const id = channelOf(event);
    const channel = id === undefined ? undefined : this.#channels.get(id);
    if (channel === undefined || channel.stream !== event.t) return;
    channel.missed?.push(event);
    applyTo(channel.messages, event);
  }

  #streamOf(id: Id, restricted: boolean | undefined): string {
    return restricted === true ? channelStream(id) : communityStream(this.#community);
  }

  #show(id: Id, stream: string): void {
    const channel: ShownChannel = { stream, messages: new Map(), missed: [] };
    this.#channels.set(id, channel);
    void this.#read(id, channel);
  }

  async #read(id: Id, channel: ShownChannel): Promise<void> {
    const messages = await readMessages(this.#person, id);
    if (this.#channels.get(id) !== channel) return;
    const { missed = [] } = channel;
    channel.missed = undefined;
    channel.messages = new Map(messages.map((message) => [message.id, message]));
    for (const event of missed) applyTo(channel.messages, event);
  }
}

/** All messages of a channel; none if it cannot be read. */
export async function readMessages(person: Person, id: string): Promise<ChannelMessage[]> {
  const all: ChannelMessage[] = [];
  for (;;) {
    const before = all.length === 0 ? '' : `&before=${all.at(-1)?.id}`;
    const path = `/channels/${id}/messages?limit=${PAGE}${before}`;
    const { status, body } = await person.ask('GET', path);
    if (status !== 200) return all;
    const page = channelMessageListSchema.parse(body);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** Messages as views are compared, the oldest first. */
export function shownOf(messages: readonly ChannelMessage[]): readonly Shown[] {
  return messages
    .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
    .map(({ id, version, content, reactions = [] }) => {
      const counts = reactions.map(({ emoji, count }) => `${emoji}${count}`);
      return [id, version, content, ...counts.toSorted()].join(' ');
    });
}

function channelOf(event: Placed): string | undefined {
  return 'channel_id' in event.d ? event.d.channel_id : undefined;
}

function applyTo(messages: Map<string, ChannelMessage>, event: Placed): void {
  if (event.op === 'MESSAGE_DELETE') messages.delete(event.d.id);
  else if (event.op === 'MESSAGE_DELETE_MANY') {
    for (const id of event.d.ids) messages.delete(id);
  } else if (event.op === 'MESSAGE_CREATE' || event.op === 'MESSAGE_UPDATE') {
    if (!('channel_id' in event.d)) return;
    const known = messages.get(event.d.id);
    const isNew = known === undefined && event.op === 'MESSAGE_CREATE';
    if (isNew || (known?.version ?? Infinity) < event.d.version) messages.set(event.d.id, event.d);
  } else if (event.op === 'REACTION_ADD' || event.op === 'REACTION_REMOVE') {
    if (!('message_id' in event.d)) return;
    const { message_id: id, emoji, count, version } = event.d;
    const known = messages.get(id);
    if (known === undefined || known.version >= version) return;
    const others = (known.reactions ?? []).filter((reaction) => reaction.emoji !== emoji);
    const reactions = count === 0 ? others : [...others, { emoji, count }];
    messages.set(id, { ...known, reactions, version });
  }
}
