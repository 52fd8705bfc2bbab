import type { Delivery, PendingMessage } from '../../writing/outbox/pending-message.ts';
import { startOfDay } from '../../text/formats.ts';
import type {
  ConversationEntry,
  GapEntry,
  MessageDetails,
  MessageEntry,
  OlderState,
} from '../messages/entry.ts';

/** Messages of one author are grouped if at most this much time lies between them. */
const GROUP_MS = 5 * 60_000;

/** A message as shown, sent or pending. */
export type ShownMessage = MessageDetails &
  Pick<MessageEntry, 'key' | 'id' | 'author' | 'content' | 'createdAtMs' | 'isOwn'>;

/** One line of the list. */
export type TimelineRow =
  | { readonly kind: 'beginning'; readonly key: 'beginning' }
  | { readonly kind: 'day'; readonly key: string; readonly dayMs: number }
  | { readonly kind: 'gap'; readonly key: string; readonly gap: GapEntry }
  | { readonly kind: 'new'; readonly key: 'new' }
  | MessageRow;

/** A message in the list. */
export interface MessageRow {
  readonly kind: 'message';
  readonly key: string;
  readonly message: ShownMessage;
  /** It shows author and time; the others of its group do not. */
  readonly isGroupStart: boolean;
  /** Set for a message that has not come back yet. */
  readonly delivery: Delivery | undefined;
}

/** Everything to show. */
export interface TimelineSource {
  readonly entries: readonly ConversationEntry[];
  readonly pending: readonly PendingMessage[];
  readonly older: OlderState;
}

/** The position of the next row in the list. */
interface Place {
  /** The message that the next one may be grouped with. */
  before: ShownMessage | undefined;
  /** The day of the previous message; NaN if there is none, undefined if it is not known. */
  dayMs: number | undefined;
}

/** The number of entries at the end that may include pending messages that have come back. */
const SETTLING = 200;

/**
 * Makes rows from entries, and only for new ones. Messages loaded above leave the rows below as they are, so that nothing
 * moves under the reader's eyes: the first row of a page starts a group, and has a day line only if it is known what is
 * before it. Rows that did not change are the same objects as before.
 */
export class Timeline {
  readonly #known = new WeakMap<object, MessageRow>();
  #entries: readonly ConversationEntry[] = [];
  #isWhole = false;
  #rows: readonly TimelineRow[] = [];
  /** The number of rows up to each entry. */
  #ends: number[] = [];

  /** The rows of `source`, from the oldest to the newest. */
  rows(source: TimelineSource): readonly TimelineRow[] {
    const isWhole = source.older === 'none' || source.older === 'unavailable';
    const same = isWhole === this.#isWhole ? samePrefix(this.#entries, source.entries) : 0;
    this.#isWhole = isWhole;
    const rows = this.#rows.slice(0, same === 0 ? 0 : this.#ends[same - 1]);
    if (same === 0 && source.older === 'none' && source.entries.length > 0) {
      rows.push({ kind: 'beginning', key: 'beginning' });
    }
    const place = this.#placeAfter(source.entries, same);
    this.#ends.length = same;
    for (const entry of source.entries.slice(same)) {
      if (entry.kind === 'message') this.#push(rows, place, entry);
      else {
        rows.push({ kind: 'gap', key: entry.key, gap: entry });
        place.before = undefined;
      }
      this.#ends.push(rows.length);
    }
    this.#entries = source.entries;
    this.#rows = rows;
    return this.#withPending(source, place);
  }

  #withPending({ entries, pending }: TimelineSource, place: Place): readonly TimelineRow[] {
    if (pending.length === 0) return this.#rows;
    const there = new Set(entries.slice(-SETTLING).map(({ key }) => key));
    const rows = this.#rows.slice();
    for (const message of pending) if (!there.has(message.key)) this.#push(rows, place, message);
    return rows;
  }

  #push(rows: TimelineRow[], place: Place, message: MessageEntry | PendingMessage): void {
    const dayMs = startOfDay(message.createdAtMs);
    if (place.dayMs !== undefined && dayMs !== place.dayMs) {
      rows.push({ kind: 'day', key: `day ${message.key}`, dayMs });
      place.before = undefined;
    }
    const isPending = 'delivery' in message;
    const shown: ShownMessage = isPending ? { ...message, id: undefined, isOwn: true } : message;
    const isPageStart = !isPending && message.isPageStart;
    const isGroupStart = isPageStart || !isTogether(place.before, shown);
    const row = this.#row(message, shown, isGroupStart);
    rows.push(row);
    place.before = row.message;
    place.dayMs = dayMs;
  }

  #row(
    source: MessageEntry | PendingMessage,
    message: ShownMessage,
    isGroupStart: boolean,
  ): MessageRow {
    const known = this.#known.get(source);
    if (known?.isGroupStart === isGroupStart) return known;
    const delivery = 'delivery' in source ? source.delivery : undefined;
    const row: MessageRow = { kind: 'message', key: message.key, message, isGroupStart, delivery };
    this.#known.set(source, row);
    return row;
  }

  #placeAfter(entries: readonly ConversationEntry[], count: number): Place {
    const last = entries[count - 1];
    const lastMessage = entries.slice(0, count).findLast((entry) => entry.kind === 'message');
    const unknownDay = this.#isWhole ? Number.NaN : undefined;
    return {
      before: last?.kind === 'message' ? last : undefined,
      dayMs: lastMessage === undefined ? unknownDay : startOfDay(lastMessage.createdAtMs),
    };
  }
}

function samePrefix(
  one: readonly ConversationEntry[],
  other: readonly ConversationEntry[],
): number {
  const length = Math.min(one.length, other.length);
  let same = 0;
  while (same < length && one[same] === other[same]) same += 1;
  return same;
}

function isTogether(before: ShownMessage | undefined, message: ShownMessage): boolean {
  // Names are free: somebody else's messages never appear under the name of an own one.
  if (before?.author !== message.author || before.isOwn !== message.isOwn) return false;
  // What has not come back yet is by the same account as what has.
  const isSameUser = before.user?.id === message.user?.id || message.id === undefined;
  if (!isSameUser) return false;
  return Math.abs(message.createdAtMs - before.createdAtMs) <= GROUP_MS;
}
