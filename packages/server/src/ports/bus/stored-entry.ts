import type { Id } from '@hearth/protocol';
import type {
  AccessEnd,
  BusEvent,
  Delivery,
  JournalEvent,
  Publication,
  SubjectNumber,
} from './bus.ts';
import { epochOf } from './stream-heads.ts';

/** A publication as it is sent to Redis; see `PUBLISH`. */
export type StoredTexts = readonly [head: string, text: string];

/** Stands for `after` if the publisher does not vouch for any number. */
const NOT_VOUCHED = '-';

/** Stands for the number of forgotten streams in the one stream that is never forgotten. */
const NEVER_FORGOTTEN = '-';

/** Stands for the identifier of an event that has none. */
const NO_ID = '-';

/** The texts of an event that is to be appended to the journal of its stream, with its key if it has one. */
export function appendedTexts(stream: string, { op, d }: JournalEvent, key?: string): StoredTexts {
  return [key === undefined ? `a ${stream}` : `a ${stream} ${key}`, eventText({ op, d })];
}

/** The texts of a publication, with its place in its subject if it has one. */
export function publishedTexts(publication: Publication, place?: SubjectNumber): StoredTexts {
  const { stream } = publication;
  const order =
    place === undefined ? '' : ` ${place.number} ${place.after ?? NOT_VOUCHED} ${place.subject}`;
  return 'end' in publication
    ? [`e ${stream}${order}`, JSON.stringify(publication.end)]
    : [`p ${stream}${order}`, eventText(publication.event)];
}

/** Stands after the op of an event that has a note. */
const NOTED = '+';

type Noted = Required<Pick<BusEvent, 'd' | 'note'>>;

/** A delivery, and the time at which it was placed. */
export interface StoredDelivery {
  readonly delivery: Delivery;
  readonly unixMs: number;
}

/**
 * Parses the text of an entry; undefined if it is not a delivery. `epoch` is that of all streams, and `idAt` makes an
 * identifier from its position.
 */
export function deliveryOf(
  epoch: string,
  entry: string,
  idAt: (position: number) => Id,
): StoredDelivery | undefined {
  const [stream = '', begun = '', position = '', unixMs = '', id = ''] = entry.split(' ', 5);
  // The end of access is JSON, directly after the stream.
  if (begun.startsWith('{')) {
    const end = endOf(valueOf(entry.slice(stream.length + 1)));
    return end && { delivery: { stream, end }, unixMs: 0 };
  }
  const text = entry.slice((stream + begun + position + unixMs + id).length + 5);
  const event = eventOf(text, id === NO_ID ? undefined : idAt(Number(id)));
  if (event === undefined || !Number.isSafeInteger(Number(position))) return undefined;
  const epochOfStream = begun === NEVER_FORGOTTEN ? epoch : epochOf(epoch, begun);
  return {
    delivery: { stream, event, epoch: epochOfStream, position: Number(position) },
    unixMs: Number(unixMs),
  };
}

/** The data of a journal entry with its identifier, or undefined if it is not valid. */
export function dataOf(id: Id, text: string): (object & { readonly id: Id }) | undefined {
  const d = objectOf(text);
  return d === undefined ? undefined : { id, ...d };
}

function eventText({ op, d, note }: BusEvent): string {
  return note === undefined
    ? `${op} ${JSON.stringify(d)}`
    : `${op}${NOTED} ${JSON.stringify({ d, note } satisfies Noted)}`;
}

function eventOf(text: string, id: Id | undefined): BusEvent | undefined {
  const space = text.indexOf(' ');
  const [op, data] = [text.slice(0, space), text.slice(space + 1)];
  if (op.endsWith(NOTED)) {
    // Guarantee: `eventText` wrote it.
    const noted = objectOf(data) as Noted | undefined;
    return noted && { op: op.slice(0, -NOTED.length), ...noted };
  }
  const d = id === undefined ? objectOf(data) : dataOf(id, data);
  return space > 0 && d !== undefined ? { op, d } : undefined;
}

// Guarantee: `publishedTexts` wrote the value, and it has exactly one of these members.
function endOf(value: unknown): AccessEnd | undefined {
  const isEnd =
    typeof value === 'object' &&
    value !== null &&
    ['user', 'role', 'everyone', 'unless'].some((name) => name in value);
  return isEnd ? (value as AccessEnd) : undefined;
}

function objectOf(text: string): object | undefined {
  const value = valueOf(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
