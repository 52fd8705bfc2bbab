import type { Id, Permission } from '@hearth/protocol';
import { channelMessageSchema } from '@hearth/protocol/schemas';
import type { Choices } from './choices.ts';
import type { Ledger, Written } from './ledger.ts';
import type { Person, Reply } from './person.ts';
import { ownerIn, peopleOf, type Scene } from './scene.ts';
import type { Snapshot } from './snapshot.ts';

const EMOJI = ['🌱', '🌻'];
const MOST_DELETED = 3;

/** Checks an answer when it is known who may do what after the round. */
export type Check = (after: Snapshot) => void;

export const NOTHING: Check = () => {};

/** The requests about messages of one round. No two are about the same message. */
export class MessageRequests {
  readonly #scene: Scene;
  readonly #choices: Choices;
  readonly #ledger: Ledger;
  readonly #before: Snapshot;
  readonly #at: number;
  readonly #inUse = new Set<string>();
  /** Whose messages are removed in this round. */
  readonly #removed: Person | undefined;

  constructor({
    scene,
    choices,
    ledger,
    before,
    at,
    removed,
  }: {
    readonly scene: Scene;
    readonly choices: Choices;
    readonly ledger: Ledger;
    readonly before: Snapshot;
    readonly at: number;
    readonly removed: Person | undefined;
  }) {
    [this.#scene, this.#choices, this.#ledger] = [scene, choices, ledger];
    [this.#before, this.#at, this.#removed] = [before, at, removed];
  }

  /** Somebody posts, and may mention somebody or reply to a message. */
  async post(): Promise<Check> {
    const choices = this.#choices;
    const people = peopleOf(this.#scene).filter((person) => person !== this.#removed);
    const [author, channel] = [choices.of(people), choices.of(this.#before.channels)];
    const mentioned = choices.onceIn(3) ? choices.of(people) : undefined;
    const content = this.#ledger.newContent(this.#at, mentioned);
    const target = choices.onceIn(3) ? this.#take((each) => each.channel === channel) : undefined;
    const reply_to = target === undefined ? {} : { reply_to: target.id };
    const body = { content, nonce: crypto.randomUUID(), ...reply_to };
    const reply = await author.ask('POST', `/channels/${channel}/messages`, body);
    if (reply.status === 200) {
      const { id } = channelMessageSchema.parse(reply.body);
      this.#ledger.add({ id, channel, author, content });
    } else if (reply.wasRepeated) this.#ledger.doubt(content);
    // Whether the target is there may be unsure.
    return this.#expecting(reply, {
      ...{ by: author, needs: 'SEND_MESSAGES', channel },
      isSure: target === undefined || !this.#ledger.isUnsure(target.content),
    });
  }

  /** Somebody changes, pins or removes a message, or reacts to it. */
  change(): Promise<Check> | undefined {
    const choices = this.#choices;
    const message = this.#take(() => true);
    if (message === undefined) return undefined;
    const kind = choices.below(12);
    if (kind < 4) return this.#react(message);
    if (kind < 6) return this.#pin(message);
    if (kind < 9) return this.#edit(message);
    if (kind < 11) return this.#delete(message);
    return this.#deleteMany(message);
  }

  #take(among: (message: Written) => boolean): Written | undefined {
    const isFree = (each: Written) =>
      !this.#inUse.has(each.id) && each.author !== this.#removed && among(each);
    const message = this.#ledger.some(this.#choices, isFree);
    if (message !== undefined) this.#inUse.add(message.id);
    return message;
  }

  async #edit(message: Written): Promise<Check> {
    const { author, channel } = message;
    const content = this.#ledger.newContent(this.#at);
    const reply = await author.ask('PATCH', pathOf(message), { content });
    const isSure = !this.#ledger.isUnsure(message.content);
    if (reply.status === 200) message.content = content;
    else if (reply.wasRepeated) {
      for (const each of [content, message.content]) this.#ledger.doubt(each);
    }
    return this.#expecting(reply, { by: author, needs: 'SEND_MESSAGES', channel, isSure });
  }

  async #react(message: Written): Promise<Check> {
    const choices = this.#choices;
    const isAdded = !choices.onceIn(3);
    const [person, emoji] = [choices.of(peopleOf(this.#scene)), choices.of(EMOJI)];
    this.#ledger.happens('react', [message.id], this.#at);
    const path = `${pathOf(message)}/reactions/${encodeURIComponent(emoji)}`;
    const reply = await person.ask(isAdded ? 'PUT' : 'DELETE', path);
    const reaction = `${emoji} ${person.name}`;
    if (reply.status !== 200) message.isUncertain ||= reply.wasRepeated;
    else if (isAdded) message.reactions.add(reaction);
    else message.reactions.delete(reaction);
    if (!isAdded) return NOTHING;
    return this.#expecting(reply, {
      ...{ by: person, needs: 'REACT', channel: message.channel },
      isSure: !this.#ledger.isUnsure(message.content),
    });
  }

  async #pin(message: Written): Promise<Check> {
    const isPinned = !this.#choices.onceIn(3);
    this.#ledger.happens('pin', [message.id], this.#at);
    const path = `/channels/${message.channel}/pins/${message.id}`;
    const reply = await this.#scene.moderator.ask(isPinned ? 'PUT' : 'DELETE', path);
    if (reply.status === 200) message.isPinned = isPinned;
    else message.isUncertain ||= reply.wasRepeated;
    if (!isPinned) return NOTHING;
    return this.#expecting(reply, {
      ...{ by: this.#scene.moderator, needs: 'PIN', channel: message.channel },
      isSure: !this.#ledger.isUnsure(message.content),
    });
  }

  async #delete(message: Written): Promise<Check> {
    const owner = ownerIn({ scene: this.#scene, snapshot: this.#before });
    const by = this.#choices.onceIn(2) ? message.author : owner;
    this.#ledger.happens('delete', [message.id], this.#at);
    const reply = await by.ask('DELETE', pathOf(message));
    this.#deleted([message], reply);
    return NOTHING;
  }

  async #deleteMany(first: Written): Promise<Check> {
    const { channel } = first;
    const all = [first];
    while (all.length < MOST_DELETED) {
      const next = this.#take((each) => each.channel === channel);
      if (next === undefined) break;
      all.push(next);
    }
    const ids = all.map(({ id }) => id);
    this.#ledger.happens('delete', ids, this.#at);
    const path = `/channels/${channel}/messages/delete-many`;
    this.#deleted(all, await this.#scene.moderator.ask('POST', path, { ids }));
    return NOTHING;
  }

  #deleted(messages: readonly Written[], reply: Reply): void {
    for (const message of messages) {
      if (reply.status === 200) message.isDeleted = true;
      // The first request may have been done, or the channel may be hidden from them by now.
      else if (reply.wasRepeated) this.#ledger.doubt(message.content);
    }
  }

  #expecting(
    reply: Reply,
    {
      by,
      needs,
      channel,
      isSure,
    }: {
      readonly by: Person;
      readonly needs: Permission;
      readonly channel: Id;
      /** True if the message is certainly there that the request is about. */
      readonly isSure: boolean;
    },
  ): Check {
    return (after) => {
      const may = [this.#before, after].map((each) => each.may(by.id, needs, channel));
      if (reply.status !== 200 && !isSure) return;
      expectAnswer(reply, may, `${by.name} uses ${needs} in ${channel}`);
    };
  }
}

function pathOf({ channel, id }: Written): string {
  return `/channels/${channel}/messages/${id}`;
}

/** Throws if somebody could do what they may not, or the other way round. `may` is from before the round, and after it. */
function expectAnswer({ status, body }: Reply, may: readonly boolean[], what: string): void {
  const isDone = status === 200;
  if (isDone && may.some(Boolean)) return;
  if (!isDone && !may.every(Boolean)) return;
  throw new Error(`${what}: ${status} ${JSON.stringify(body)}, though they may: ${may.join()}`);
}
