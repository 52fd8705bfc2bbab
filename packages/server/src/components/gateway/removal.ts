import type { BusEvent } from '../../ports/bus/bus.ts';

const DELETE = '_DELETE';

/** What an event removes: the thing of this noun with this identifier. */
export interface Removal {
  readonly noun: string;
  readonly id: string;
}

/** What an event removes, such as the message of a MESSAGE_DELETE; undefined if it removes nothing. */
export function removalOf({ op, d }: BusEvent): Removal | undefined {
  if (!op.endsWith(DELETE) || !('id' in d)) return undefined;
  return { noun: op.slice(0, -DELETE.length), id: String(d.id) };
}

/** Whether an event, as clients are sent it, is about something that was removed. */
export function isOfRemoved(text: string, { noun, id }: Removal): boolean {
  // Few texts contain the identifier: only those are parsed.
  if (!text.includes(`"id":"${id}"`)) return false;
  // Guarantee: `profileText` and `streamText` write this shape.
  const { op, d } = JSON.parse(text) as {
    readonly op: string;
    readonly d: { readonly id?: string };
  };
  return op.startsWith(`${noun}_`) && d.id === id;
}
