import type { Id } from '@hearth/protocol';
import type { AccessEnd, BusEvent, Delivery, Publication, SubjectNumber } from './bus.ts';
import { epochOf } from './stream-heads.ts';

/** What a publication is sent to Redis as: see `PUBLISH`. */
export type StoredTexts = readonly [head: string, text: string];

/** Nothing is known of a subject's numbers. */
const NOT_VOUCHED = '-';

/** The mark of the one stream that is never forgotten, in place of the number of those that were. */
const NEVER_FORGOTTEN = '-';

/** In place of an event's identifier. */
const NO_ID = '-';

/** An event that is to be appended to the journal of its stream. */
export function appendedTexts(stream: string, event: BusEvent): StoredTexts {
  return [`a ${stream}`, eventText(event)];
}

/** A publication, in its place among those of a subject if it has one. */
export function publishedTexts(publication: Publication, place?: SubjectNumber): StoredTexts {
  const { stream } = publication;
  const order =
    place === undefined ? '' : ` ${place.number} ${place.after ?? NOT_VOUCHED} ${place.subject}`;
  return 'end' in publication
    ? [`e ${stream}${order}`, JSON.stringify(publication.end)]
    : [`p ${stream}${order}`, eventText(publication.event)];
}

/** A delivery, and the time at which it was given its place. */
export interface StoredDelivery {
  readonly delivery: Delivery;
  readonly unixMs: number;
}

/**
 * The delivery of an entry's text, or undefined if it is none. `epoch` is that of all streams, and `idAt` makes
 * an identifier of its position.
 */
export function deliveryOf(
  epoch: string,
  entry: string,
  idAt: (position: number) => Id,
): StoredDelivery | undefined {
  const [stream = '', begun = '', position = '', unixMs = '', id = ''] = entry.split(' ', 5);
  // What ends access is JSON, right after the stream.
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

/** The data of a journal's entry with its identifier, or undefined if it is none. */
export function dataOf(id: Id, text: string): (object & { readonly id: Id }) | undefined {
  const d = objectOf(text);
  return d === undefined ? undefined : { id, ...d };
}

function eventText({ op, d }: BusEvent): string {
  return `${op} ${JSON.stringify(d)}`;
}

function eventOf(text: string, id: Id | undefined): BusEvent | undefined {
  const space = text.indexOf(' ');
  const data = text.slice(space + 1);
  const d = id === undefined ? objectOf(data) : dataOf(id, data);
  return space > 0 && d !== undefined ? { op: text.slice(0, space), d } : undefined;
}

// Guarantee: what ends access was written by `publishedTexts`, and names exactly one of these.
function endOf(value: unknown): AccessEnd | undefined {
  const isEnd =
    typeof value === 'object' &&
    value !== null &&
    ('user' in value || 'role' in value || 'everyone' in value);
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
