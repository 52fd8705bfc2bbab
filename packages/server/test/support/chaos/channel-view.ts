import type { AccountEvent, ChannelMessage } from '@hearth/protocol';
import { channelMessageListSchema } from '@hearth/protocol/schemas';
import type { Person } from './person.ts';

/** Events with a place in a stream. */
export type Placed = Extract<AccountEvent, { readonly t: string }>;

/** The number of messages on a page. */
const PAGE = 100;

/** The messages of a channel as a client shows them, kept up to date by events as the specification says. */
export class ChannelView {
  readonly stream: string;
  readonly #id: string;
  #messages = new Map<string, ChannelMessage>();
  /** The events since the messages are being read; undefined if they are not. */
  #missed: Placed[] | undefined = [];

  constructor(person: Person, id: string, stream: string) {
    [this.#id, this.stream] = [id, stream];
    void this.#read(person);
  }

  get isReading(): boolean {
    return this.#missed !== undefined;
  }

  /** The messages, the oldest first. */
  get shown(): readonly string[] {
    return shownOf(Array.from(this.#messages.values()));
  }

  /** Applies an event of this channel. */
  apply(event: Placed): void {
    this.#missed?.push(event);
    applyTo(this.#messages, event);
  }

  async #read(person: Person): Promise<void> {
    const messages = await readMessages(person, this.#id);
    const missed = this.#missed ?? [];
    this.#missed = undefined;
    this.#messages = new Map(messages.map((message) => [message.id, message]));
    for (const event of missed) applyTo(this.#messages, event);
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

/** Messages as views are compared, as text, the oldest first. Pins have no version, so that it is left out. */
export function shownOf(messages: readonly ChannelMessage[]): readonly string[] {
  return messages
    .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
    .map(({ id, content, reactions = [], pinned = false, reply_to, mentions = [] }) => {
      const counts = reactions.map(({ emoji, count }) => `${emoji}${count}`);
      const reply =
        reply_to === undefined ? [] : ['to', reply_to.id, reply_to.excerpt ?? 'nothing'];
      const named = mentions.map(({ username }) => `of ${username}`);
      return [
        ...[id, content, ...counts.toSorted(), ...reply, ...named],
        ...(pinned ? ['pinned'] : []),
      ].join(' ');
    });
}

/** The channel that an event is about, if it is about one. */
export function channelOf(event: Placed): string | undefined {
  return 'channel_id' in event.d ? event.d.channel_id : undefined;
}

function applyTo(messages: Map<string, ChannelMessage>, event: Placed): void {
  const change = (id: string | undefined, to: (known: ChannelMessage) => ChannelMessage) => {
    const known = messages.get(id ?? '');
    if (known !== undefined) messages.set(known.id, to(known));
  };
  const remove = (ids: readonly string[]) => {
    for (const id of ids) messages.delete(id);
    changeReplies(messages, ids, undefined);
  };
  if (event.op === 'MESSAGE_DELETE') remove([event.d.id]);
  else if (event.op === 'MESSAGE_DELETE_MANY') remove(event.d.ids);
  else if (event.op === 'MESSAGE_CREATE' || event.op === 'MESSAGE_UPDATE') {
    if (!('channel_id' in event.d)) return;
    const known = messages.get(event.d.id);
    const isNew = known === undefined && event.op === 'MESSAGE_CREATE';
    if (!isNew && (known?.version ?? Infinity) >= event.d.version) return;
    messages.set(event.d.id, event.d);
    if (!isNew) changeReplies(messages, [event.d.id], event.d.content);
  } else if (event.op === 'REACTION_ADD' || event.op === 'REACTION_REMOVE') {
    if (!('message_id' in event.d)) return;
    const { message_id: id, emoji, count, version } = event.d;
    change(id, (known) => {
      if (known.version >= version) return known;
      const others = (known.reactions ?? []).filter((reaction) => reaction.emoji !== emoji);
      const reactions = count === 0 ? others : [...others, { emoji, count }];
      return { ...known, reactions, version };
    });
  } else if (event.op === 'PIN_ADD') {
    change(event.d.message_id, (known) => ({ ...known, pinned: true }));
  } else if (event.op === 'PIN_REMOVE') {
    change(event.d.message_id, (known) => {
      const unpinned = { ...known };
      delete unpinned.pinned;
      return unpinned;
    });
  }
}

/** Changes replies with the messages that they show. */
function changeReplies(
  messages: Map<string, ChannelMessage>,
  targets: readonly string[],
  excerpt: string | undefined,
): void {
  for (const message of messages.values()) {
    const { id, author = '' } = message.reply_to ?? { id: undefined };
    if (id === undefined || !targets.includes(id)) continue;
    const reply_to = excerpt === undefined ? { id } : { id, author, excerpt };
    messages.set(message.id, { ...message, reply_to });
  }
}
