import { compareIds, type Id } from '@hearth/protocol';
import type { GapEntry, LobbyEntry, MessageEntry } from './lobby-entry.ts';

/** What is known of a message when it comes; its key is the log's affair. */
export type NewMessage = Omit<MessageEntry, 'kind' | 'key'>;

/** What a message says after a change. */
export type ChangedMessage = Pick<MessageEntry, 'author' | 'content'> & {
  readonly id?: Id | undefined;
};

/**
 * Messages and gaps in the order of their identifiers, each message once, whatever order pages and live messages come
 * in. Adding at an end takes constant time. Messages without an identifier stay in the order in which they came.
 */
export class EntryLog {
  #entries: LobbyEntry[] = [];
  readonly #byId = new Map<Id, MessageEntry>();
  readonly #keys = new Set<string>();
  #made = 0;

  /** A copy that stays as it is. */
  snapshot(): readonly LobbyEntry[] {
    return this.#entries.slice();
  }

  get length(): number {
    return this.#entries.length;
  }

  /** The identifier of the oldest message that has one. */
  get oldestId(): Id | undefined {
    return this.#entries.find(hasId)?.id;
  }

  /** Adds a message; undefined where it was there already and nothing new is known of it. */
  add(message: NewMessage): MessageEntry | undefined {
    const known = message.id === undefined ? undefined : this.#byId.get(message.id);
    if (known !== undefined) return this.#recognise(known, message);
    const entry = this.#entryOf(message);
    this.#entries.splice(this.#placeOf(message), 0, entry);
    return entry;
  }

  /** Adds a page of history, the oldest first; gives the messages that are new. */
  addPage(page: readonly NewMessage[]): readonly MessageEntry[] {
    const oldest = this.oldestId;
    const last = page.at(-1)?.id;
    const isBefore = oldest !== undefined && last !== undefined && compareIds(last, oldest) < 0;
    if (!isBefore) return page.flatMap((message) => this.add(message) ?? []);
    const entries = page.map((message) => this.#entryOf(message));
    this.#entries = [...entries, ...this.#entries];
    return entries;
  }

  /** Takes a message out; gives what it was, or undefined if it was not there. */
  remove(id: Id): MessageEntry | undefined {
    const known = this.#byId.get(id);
    if (known === undefined) return undefined;
    const index = this.#entries.lastIndexOf(known);
    this.#entries.splice(index, 1);
    this.#keys.delete(known.key);
    this.#byId.delete(id);
    const next = this.#entries[index];
    // What is older is still to come above the page, and has to leave its first message as it is.
    if (known.isPageStart && next?.kind === 'message') {
      this.#replace(next, { ...next, isPageStart: true });
    }
    return known;
  }

  /** Gives a message another text; whether it was there. */
  update({ id, author, content }: ChangedMessage): boolean {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known !== undefined) this.#replace(known, { ...known, author, content });
    return known !== undefined;
  }

  /** Adds a place where messages may be missing. */
  addGap(gap: Omit<GapEntry, 'kind' | 'key'>): void {
    const key = `gap ${(this.#made += 1)}`;
    const { afterId } = gap;
    const behind =
      afterId === undefined
        ? this.#entries.length - 1
        : this.#entries.findLastIndex(
            (entry) => hasId(entry) && compareIds(entry.id, afterId) <= 0,
          );
    this.#entries.splice(behind + 1, 0, { kind: 'gap', key, ...gap });
  }

  /** Forgets the oldest so that `most` are left; whether there were any. */
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

  /** A message of ours that came in a page first, and with its nonce now, takes the key of what was sent. */
  #recognise(known: MessageEntry, message: NewMessage): MessageEntry | undefined {
    if (known.isOwn || !message.isOwn) return undefined;
    const index = this.#entries.lastIndexOf(known);
    this.#keys.delete(known.key);
    const entry = this.#entryOf({ ...message, isPageStart: known.isPageStart });
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

function hasId(entry: LobbyEntry): entry is MessageEntry & { readonly id: Id } {
  return entry.kind === 'message' && entry.id !== undefined;
}

function isAfter(entry: LobbyEntry, { id, createdAtMs }: NewMessage): boolean {
  if (id === undefined) return false;
  if (entry.kind === 'gap')
    return entry.afterId !== undefined && compareIds(id, entry.afterId) <= 0;
  return entry.id === undefined ? entry.createdAtMs > createdAtMs : compareIds(entry.id, id) > 0;
}
