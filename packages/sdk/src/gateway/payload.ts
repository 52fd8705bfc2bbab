import {
  receivedEvent,
  receivedOp,
  receivedProfileEvent,
  type ReceivedEvent,
  type ReceivedProfileEvent,
} from '@hearth/protocol/received';
import { parsedJson } from '../api-error.ts';

/** A parsed payload; `unknown` is of an unknown kind, and `broken` does not have the shape of its kind. */
export type Payload<Event> =
  | Event
  /** `s` is its position, if it has one. */
  | { readonly op: 'unknown'; readonly s?: number | undefined }
  | { readonly op: 'broken' };

/** What a gateway of profile 1 sent. */
export function profilePayload(data: unknown): Payload<ReceivedProfileEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedProfileEvent.safeParse(json);
  return parsed.success ? parsed.data : unreadable(json);
}

/** What the documented gateway sent. */
export function documentedPayload(data: unknown): Payload<ReceivedEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedEvent.safeParse(json);
  if (parsed.success) return parsed.data;
  const { op } = unreadable(json);
  return { op };
}

const KNOWN = new Set<string>(receivedProfileEvent.options.map(({ shape }) => shape.op.value));

function unreadable(json: unknown): Payload<never> {
  const { op, s } = receivedOp.safeParse(json).data ?? { op: '' };
  return KNOWN.has(op) ? { op: 'broken' } : { op: 'unknown', s };
}
