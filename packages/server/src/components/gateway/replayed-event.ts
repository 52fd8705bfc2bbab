import type { BusEvent, ReplayNote } from '../../ports/bus/bus.ts';

/** An event that is kept for clients that come back: its text alone has its data. */
export interface ReplayedEvent {
  /** As clients are sent it. */
  readonly text: string;
  readonly op: string;
  /** The id of what it is about. */
  readonly id: string | undefined;
  /** The id of the channel that it is in. */
  readonly channel: string | undefined;
  /** The text by which its author recognises it. */
  readonly nonce: unknown;
  readonly quotes: ReplayNote['quotes'];
}

/** Something that an event is about: its noun is in the op, such as MESSAGE in MESSAGE_UPDATE. */
export interface Thing {
  readonly noun: string;
  readonly id: string;
}

const UPDATE = '_UPDATE';
const DELETE = '_DELETE';
const DELETE_MANY = '_DELETE_MANY';

const CHANNEL = 'CHANNEL';

/** Makes what is kept of an event. */
export function replayedOf(event: BusEvent, text: string): ReplayedEvent {
  const { op, d, note } = event;
  return {
    text,
    op,
    id: idIn(event),
    channel: 'channel_id' in d ? String(d.channel_id) : undefined,
    nonce: 'nonce' in d ? d.nonce : undefined,
    quotes: note?.quotes,
  };
}

/** The id of what an event is about. */
function idIn({ d }: Pick<BusEvent, 'd'>): string | undefined {
  return 'id' in d ? String(d.id) : undefined;
}

/** Returns the things that an event removes, such as the message of a MESSAGE_DELETE, or those of a MESSAGE_DELETE_MANY. */
export function removedBy({ op, d }: BusEvent): readonly Thing[] {
  if (op.endsWith(DELETE_MANY)) {
    const noun = op.slice(0, -DELETE_MANY.length);
    return idsIn(d).map((id) => ({ noun, id }));
  }
  return thingOf({ op, d }, DELETE);
}

/** Returns the thing that an event replaces: it carries the whole thing, as that is from then on. */
export function replacedBy(event: BusEvent): readonly Thing[] {
  return thingOf(event, UPDATE);
}

/** Returns the event that replaces a kept one after another has removed something; undefined if it stays. */
export function afterRemoval(
  kept: ReplayedEvent,
  removed: Thing,
  by: BusEvent,
): BusEvent | undefined {
  const { op, id, channel } = kept;
  if (removed.noun === CHANNEL && channel === removed.id) return by;
  if (!isAbout(op, removed)) return undefined;
  if (id === removed.id) return by;
  return showing(kept, removed, () => ({ id: removed.id }));
}

/** Returns the event that replaces a kept one after another has replaced something; undefined if it stays. */
export function afterReplacing(
  kept: ReplayedEvent,
  replaced: Thing,
  by: BusEvent,
): BusEvent | undefined {
  const { op, id, nonce } = kept;
  if (!isAbout(op, replaced)) return undefined;
  if (id === replaced.id) {
    const isWhole = op === `${replaced.noun}_CREATE` || op === by.op;
    if (!isWhole) return undefined;
    return nonce === undefined ? { ...by, op } : { ...by, op, d: { ...by.d, nonce } };
  }
  const quoted = by.note?.quoted;
  return quoted && showing(kept, replaced, (shown) => ({ ...shown, ...quoted }));
}

function isAbout(op: string, { noun }: Thing): boolean {
  return op.startsWith(noun) && op[noun.length] === '_';
}

/** An event that shows something of a thing, with what it shows of that now; undefined if it shows nothing of it. */
function showing(
  { op, quotes, text }: ReplayedEvent,
  { id }: Thing,
  shownAfter: (shown: object) => object,
): BusEvent | undefined {
  if (quotes?.id !== id) return undefined;
  const { member } = quotes;
  // Guarantee: clients are sent the data in `d`, and the note names a member that is an object.
  const { d } = JSON.parse(text) as { readonly d: Readonly<Record<string, object>> };
  return { op, d: { ...d, [member]: shownAfter(d[member] ?? {}) }, note: { quotes } };
}

function thingOf({ op, d }: BusEvent, ending: string): readonly Thing[] {
  const id = op.endsWith(ending) ? idIn({ d }) : undefined;
  return id === undefined ? NONE : [{ noun: op.slice(0, -ending.length), id }];
}

const NONE: readonly Thing[] = [];

function idsIn(d: BusEvent['d']): readonly string[] {
  return 'ids' in d && Array.isArray(d.ids) ? d.ids.map(String) : [];
}
