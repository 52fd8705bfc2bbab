import { compareIds, type Id } from '@hearth/protocol';
import { withReaction, type Reaction, type ReactionChange } from '@hearth/sdk';
import {
  hasId,
  type ConversationEntry,
  type GapEntry,
  type MessageDetails,
  type MessageEntry,
} from './entry.ts';

/** A new message without its key, which the log chooses. */
export type NewMessage = Omit<MessageEntry, 'kind' | 'key'>;

/** The contents of a message after a change. */
export type ChangedMessage = Pick<MessageEntry, 'author' | 'content'> &
  MessageDetails & { readonly id?: Id | undefined };

/**
 * Messages and gaps in the order of their identifiers, each message once, in whatever order pages and live messages come.
 * Adding at an end takes constant time. Messages without an identifier stay in the order in which they came.
 */
export class EntryLog {
  #entries: ConversationEntry[] = [];
  readonly #byId = new Map<Id, MessageEntry>();
  readonly #keys = new Set<string>();
  #made = 0;

  /** A copy that does not change. */
  snapshot(): readonly ConversationEntry[] {
    return this.#entries.slice();
  }

  get length(): number {
    return this.#entries.length;
  }

  /** The identifier of the oldest message that has one. */
  get oldestId(): Id | undefined {
    return this.#entries.find(hasId)?.id;
  }

  /** Adds a message; returns undefined if it was already there and nothing about it is new. */
  add(message: NewMessage): MessageEntry | undefined {
    const known = message.id === undefined ? undefined : this.#byId.get(message.id);
    if (known !== undefined) return this.#recognise(known, message);
    const entry = this.#entryOf(message);
    this.#entries.splice(this.#placeOf(message), 0, entry);
    return entry;
  }

  /** Adds a page of history, the oldest first; returns the messages that are new. */
  addPage(page: readonly NewMessage[]): readonly MessageEntry[] {
    const oldest = this.oldestId;
    const last = page.at(-1)?.id;
    const isBefore = oldest !== undefined && last !== undefined && compareIds(last, oldest) < 0;
    if (!isBefore) return page.flatMap((message) => this.add(message) ?? []);
    const entries = page.map((message) => this.#entryOf(message));
    this.#entries = [...entries, ...this.#entries];
    return entries;
  }

  /** Removes a message; returns it, or undefined if it was not there. */
  remove(id: Id): MessageEntry | undefined {
    const known = this.#byId.get(id);
    if (known === undefined) return undefined;
    const index = this.#entries.lastIndexOf(known);
    this.#entries.splice(index, 1);
    this.#keys.delete(known.key);
    this.#byId.delete(id);
    const next = this.#entries[index];
    // Older messages will come above the page and must leave its first message as it is.
    if (known.isPageStart && next?.kind === 'message') {
      this.#replace(next, { ...next, isPageStart: true });
    }
    return known;
  }

  /** Changes a message; returns whether that was new. What comes late is older than what is there. */
  update({ id, author, content, ...details }: ChangedMessage): boolean {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known === undefined) return false;
    const { version = known.version } = details;
    if (versionOf({ version }) < versionOf(known)) return false;
    const reactions = withOwn(details.reactions, known.reactions);
    this.#replace(known, { ...known, ...details, author, content, version, reactions });
    return true;
  }

  /** Changes the text of a message if that is still `from`; returns whether it was. */
  setText({
    id,
    from,
    to,
  }: {
    readonly id: Id;
    readonly from: string;
    readonly to: string;
  }): boolean {
    const known = this.#byId.get(id);
    if (known?.content !== from) return false;
    this.#replace(known, { ...known, content: to });
    return true;
  }

  /** Changes the reactions to a message; returns whether that was new. */
  react(change: ReactionChange, ownId: Id | undefined): boolean {
    const known = this.#byId.get(change.id);
    if (known === undefined) return false;
    const { id, version, reactions } = { ...known, id: change.id };
    const before = { id, version: versionOf({ version }), reactions: [...(reactions ?? [])] };
    const after = withReaction(before, change, ownId);
    if (after === before) return false;
    this.#replace(known, { ...known, version: after.version, reactions: after.reactions });
    return true;
  }

  /** Sets what the instance answered to a reaction of the reader, unless the event has come before; returns whether it was new. */
  setReaction(id: Id, reaction: Reaction): boolean {
    const known = this.#byId.get(id);
    const before = known?.reactions?.find(({ emoji }) => emoji === reaction.emoji);
    if (known === undefined || before?.mine === reaction.mine) return false;
    const { reactions = [] } = known;
    const all =
      before === undefined
        ? [...reactions, reaction]
        : reactions.with(reactions.indexOf(before), reaction);
    this.#replace(known, { ...known, reactions: all.filter((each) => each.count > 0) });
    return true;
  }

  /** A message was pinned, or is no longer; returns whether that was new. */
  setPinned(id: Id, isPinned: boolean): boolean {
    const known = this.#byId.get(id);
    if (known === undefined || (known.isPinned === true) === isPinned) return false;
    this.#replace(known, { ...known, isPinned: isPinned || undefined });
    return true;
  }

  /** Adds a gap, where messages may be missing. */
  addGap(gap: Omit<GapEntry, 'kind' | 'key'>): void {
    const key = `gap ${(this.#made += 1)}`;
    const { afterId } = gap;
    const previous =
      afterId === undefined
        ? this.#entries.length - 1
        : this.#entries.findLastIndex(
            (entry) => hasId(entry) && compareIds(entry.id, afterId) <= 0,
          );
    this.#entries.splice(previous + 1, 0, { kind: 'gap', key, ...gap });
  }

  /** Forgets the oldest entries so that `most` are left; returns whether there were any. */
  trim(most: number): boolean {
    const over = this.#entries.length - most;
    if (over <= 0) return false;
    for (const entry of this.#entries.splice(0, over)) {
      this.#keys.delete(entry.key);
      if (hasId(entry)) this.#byId.delete(entry.id);
    }
    return true;
  }

  #replace(known: MessageEntry, entry: MessageEntry): void {
    this.#entries[this.#entries.lastIndexOf(known)] = entry;
    if (entry.id !== undefined) this.#byId.set(entry.id, entry);
  }

  /** If a message of ours came first in a page and now comes with its nonce, it takes the key of the sent one. */
  #recognise(known: MessageEntry, { isOwn, nonce }: NewMessage): MessageEntry | undefined {
    // Those of the reader's account are own in a page, too.
    if (!isOwn || nonce === undefined || known.nonce !== undefined) return undefined;
    const index = this.#entries.lastIndexOf(known);
    const { kind: _kind, key, ...message } = known;
    this.#keys.delete(key);
    const entry = this.#entryOf({ ...message, nonce, isOwn });
    this.#entries[index] = entry;
    return entry;
  }

  #entryOf(message: NewMessage): MessageEntry {
    const { id, nonce, isOwn } = message;
    // A message that was sent twice has one nonce and two identifiers.
    const isNonceFree = isOwn && nonce !== undefined && !this.#keys.has(nonce);
    const key = isNonceFree ? nonce : (id ?? `live ${(this.#made += 1)}`);
    const entry: MessageEntry = { kind: 'message', key, ...message };
    this.#keys.add(key);
    if (id !== undefined) this.#byId.set(id, entry);
    return entry;
  }

  #placeOf(message: NewMessage): number {
    let place = this.#entries.length;
    while (place > 0) {
      const before = this.#entries[place - 1];
      if (before === undefined || !isAfter(before, message)) break;
      place -= 1;
    }
    return place;
  }
}

function isAfter(entry: ConversationEntry, { id, createdAtMs }: NewMessage): boolean {
  if (id === undefined) return false;
  if (entry.kind === 'gap')
    return entry.afterId !== undefined && compareIds(id, entry.afterId) <= 0;
  return entry.id === undefined ? entry.createdAtMs > createdAtMs : compareIds(entry.id, id) > 0;
}

function versionOf({ version = 1 }: MessageDetails): number {
  return version;
}

/** Events do not say which reactions are the reader's own. */
export function withOwn(
  changed: readonly Reaction[] | undefined,
  known: readonly Reaction[] = [],
): Reaction[] | undefined {
  const isMine = (emoji: string) => known.some((each) => each.emoji === emoji && each.mine);
  return changed?.map((each) => (isMine(each.emoji) ? { ...each, mine: true } : each));
}
