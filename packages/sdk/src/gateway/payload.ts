import {
  receivedEvent,
  receivedOp,
  receivedProfileEvent,
  type ReceivedEvent,
  type ReceivedProfileEvent,
} from '@hearth/protocol/received';
import { parsedJson } from '../api-error.ts';

/** A payload as it is read; `unknown` is one of a kind that is not known, `broken` one that is not of its shape. */
export type Payload<Event> = Event | { readonly op: 'unknown' } | { readonly op: 'broken' };

/** What a gateway of profile 1 sent. */
export function profilePayload(data: unknown): Payload<ReceivedProfileEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedProfileEvent.safeParse(json);
  if (parsed.success) return parsed.data;
  return { op: isKnown(json) ? 'broken' : 'unknown' };
}

/** What the documented gateway sent. */
export function documentedPayload(data: unknown): Payload<ReceivedEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedEvent.safeParse(json);
  if (parsed.success) return parsed.data;
  return { op: isKnown(json) ? 'broken' : 'unknown' };
}

function isKnown(json: unknown): boolean {
  const found = receivedOp.safeParse(json);
  return found.success && ['HELLO', 'MESSAGE_CREATE', 'DISCONNECT'].includes(found.data.op);
}
