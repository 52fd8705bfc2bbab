import {
  receivedAccountEvent,
  receivedEvent,
  receivedOp,
  receivedProfileEvent,
  type ReceivedAccountEvent,
  type ReceivedEvent,
  type ReceivedProfileEvent,
} from '@hearth/protocol/received';
import { parsedJson } from '../api-error.ts';

/** A parsed payload; `unknown` is of an unknown kind, and `broken` does not have the shape of its kind. */
export type Payload<Event> =
  | Event
  /** `s` is its position, if it has one, and `t` its stream. */
  | { readonly op: 'unknown'; readonly s?: number | undefined; readonly t?: string | undefined }
  | { readonly op: 'broken'; readonly s?: number | undefined; readonly t?: string | undefined };

/** What a gateway of profile 2 sent. */
export function accountPayload(data: unknown): Payload<ReceivedAccountEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedAccountEvent.safeParse(json);
  return parsed.success ? parsed.data : unreadable(json, ACCOUNT_OPS);
}

/** What a gateway of profile 1 sent. */
export function profilePayload(data: unknown): Payload<ReceivedProfileEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedProfileEvent.safeParse(json);
  return parsed.success ? parsed.data : unreadable(json, PROFILE_OPS);
}

/** What the documented gateway sent. */
export function documentedPayload(data: unknown): Payload<ReceivedEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedEvent.safeParse(json);
  if (parsed.success) return parsed.data;
  return { op: unreadable(json, PROFILE_OPS).op };
}

const PROFILE_OPS: ReadonlySet<string> = new Set(
  receivedProfileEvent.options.map(({ shape }) => shape.op.value),
);
const ACCOUNT_OPS: ReadonlySet<string> = new Set(
  receivedAccountEvent.options.map(({ shape }) => shape.op.value),
);

function unreadable(json: unknown, known: ReadonlySet<string>): Payload<never> {
  const { op, s, t } = receivedOp.safeParse(json).data ?? { op: '' };
  return { op: known.has(op) ? 'broken' : 'unknown', s, t };
}
