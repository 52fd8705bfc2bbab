import type { BusEvent } from '../../ports/bus/bus.ts';

const DELETE = '_DELETE';
const DELETE_MANY = '_DELETE_MANY';

const CHANNEL = 'CHANNEL';

/** What an event removes: the thing of this noun with this identifier. */
export interface Removal {
  readonly noun: string;
  readonly id: string;
}

/** What an event removes, such as the message of a MESSAGE_DELETE, or those of a MESSAGE_DELETE_MANY. */
export function removalsOf({ op, d }: BusEvent): readonly Removal[] {
  if (op.endsWith(DELETE_MANY)) {
    const noun = op.slice(0, -DELETE_MANY.length);
    return idsIn(d).map((id) => ({ noun, id }));
  }
  const id = op.endsWith(DELETE) ? idIn({ d }) : undefined;
  return id === undefined ? [] : [{ noun: op.slice(0, -DELETE.length), id }];
}

/** The id of what an event is about. */
export function idIn({ d }: Pick<BusEvent, 'd'>): string | undefined {
  return 'id' in d ? String(d.id) : undefined;
}

/** Whether an event, as clients are sent it, is about something that was removed, or in a channel that was. */
export function isOfRemoved(text: string, { noun, id }: Removal): boolean {
  // Guarantee: `profileText` and `streamText` write this shape.
  const { op, d } = JSON.parse(text) as {
    readonly op: string;
    readonly d: { readonly id?: string; readonly channel_id?: string };
  };
  if (noun === CHANNEL && d.channel_id === id) return true;
  return op.startsWith(`${noun}_`) && d.id === id;
}

/** The id of the channel that an event is in. */
export function channelIn({ d }: Pick<BusEvent, 'd'>): string | undefined {
  return 'channel_id' in d ? String(d.channel_id) : undefined;
}

/** The id of the message that an event's message replies to. */
export function repliedToIn({ d }: Pick<BusEvent, 'd'>): string | undefined {
  const target: unknown = 'reply_to' in d ? d.reply_to : undefined;
  return typeof target === 'object' && target !== null && 'id' in target
    ? String(target.id)
    : undefined;
}

/** An event about a reply to something that was removed, without what it shows of that; undefined for any other event. */
export function withoutExcerpt(text: string, { noun, id }: Removal): BusEvent | undefined {
  // Guarantee: `streamText` writes this shape.
  const { op, d } = JSON.parse(text) as {
    readonly op: string;
    readonly d: { readonly reply_to?: { readonly id: string } };
  };
  if (!op.startsWith(`${noun}_`) || d.reply_to?.id !== id) return undefined;
  return { op, d: { ...d, reply_to: { id } } };
}

function idsIn(d: BusEvent['d']): readonly string[] {
  return 'ids' in d && Array.isArray(d.ids) ? d.ids.map(String) : [];
}
