import { LOBBY_STREAM } from '@hearth/protocol';
import {
  OWN_USER_OPS,
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
  /** `s` is its position, if it has one, and `t` its stream; `raw` is all of it, as it came. */
  | {
      readonly op: 'unknown';
      readonly s?: number | undefined;
      readonly t?: string | undefined;
      readonly raw: unknown;
    }
  | { readonly op: 'broken'; readonly s?: number | undefined; readonly t?: string | undefined };

/** Reads what a gateway of profile 2 sent. */
export function accountPayload(data: unknown): Payload<ReceivedAccountEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  if (isElsewhere(json)) return unreadable(json, NO_OPS);
  const parsed = receivedAccountEvent.safeParse(json);
  return parsed.success ? parsed.data : unreadable(json, ACCOUNT_OPS);
}

/**
 * Returns whether it is an event that is read later: in those streams, events have other shapes under the same names.
 */
function isElsewhere(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('op' in json)) return false;
  // That of others, who are watched, has no stream.
  if (!('t' in json)) return json.op === 'USER_UPDATE';
  return json.t !== LOBBY_STREAM && !OWN_USER_OPS.has(json.op);
}

/** Reads what a gateway of profile 1 sent. */
export function profilePayload(data: unknown): Payload<ReceivedProfileEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedProfileEvent.safeParse(json);
  return parsed.success ? parsed.data : unreadable(json, PROFILE_OPS);
}

/** Reads what the documented gateway sent. */
export function documentedPayload(data: unknown): Payload<ReceivedEvent> {
  const json = typeof data === 'string' ? parsedJson(data) : undefined;
  const parsed = receivedEvent.safeParse(json);
  if (parsed.success) return parsed.data;
  const { op } = unreadable(json, PROFILE_OPS);
  return op === 'unknown' ? { op, raw: json } : { op };
}

const PROFILE_OPS: ReadonlySet<string> = new Set(
  receivedProfileEvent.options.map(({ shape }) => shape.op.value),
);
const NO_OPS: ReadonlySet<string> = new Set();
const ACCOUNT_OPS: ReadonlySet<string> = new Set(
  receivedAccountEvent.options.map(({ shape }) => shape.op.value),
);

function unreadable(json: unknown, known: ReadonlySet<string>): Payload<never> {
  const { op, s, t } = receivedOp.safeParse(json).data ?? { op: '' };
  return known.has(op) ? { op: 'broken', s, t } : { op: 'unknown', s, t, raw: json };
}
