/** Lenient schemas for what gateways send. */
import { z } from 'zod';
import { DISCONNECT_REASONS, type DisconnectReason } from './close-reasons.ts';
import { lenientAll } from './lenient.ts';
import { FILES, receivedMessage } from './received-messages.ts';
import { PEOPLE, receivedOwnUser, receivedSession } from './received-users.ts';
// Not those of communities: clients read these later, by other schemas.
import { accountHelloSchema, rateLimitedSchema, resumedSchema } from './events/authentication.ts';
import { disconnectSchema, helloSchema, pongSchema } from './events/connection.ts';
import { LOBBY_MESSAGE_EVENTS } from './events/messages.ts';
import { onlineSchema } from './events/online.ts';
import { pausesEventSchema } from './events/pauses.ts';
import { streamPlacesSchema } from './events/positions.ts';
import { namedSchemas, streamCloseSchema, streamOpenSchema } from './events/streams.ts';
import { OWN_USER_EVENTS } from './events/users.ts';

const wholeNumber = z.int().nonnegative();

/** The fields of any gateway payload. */
export const receivedOp = z.object({
  op: z.string(),
  /** The position of an event of profiles 1 and 2, even if the event is unknown. */
  s: wholeNumber.optional().catch(undefined),
  /** Its stream, on profile 2. */
  t: z.string().optional().catch(undefined),
});

/** Events of the documented gateway. */
export const receivedEvent = z.discriminatedUnion('op', [
  pongSchema,
  z.object({ op: z.literal('MESSAGE_CREATE'), d: receivedMessage }),
]);

/** An event of the documented gateway. */
export type ReceivedEvent = z.infer<typeof receivedEvent>;

const LOBBY = lenientAll(LOBBY_MESSAGE_EVENTS, FILES);
const OWN_USER = lenientAll(OWN_USER_EVENTS, PEOPLE);

/** The kinds of events in the stream of the client's user that are read here. */
export const OWN_USER_OPS: ReadonlySet<unknown> = new Set(opsOf(OWN_USER));

/** The kinds of events that change something, unlike notices about the connection or the instance. */
export const EVENT_OPS: ReadonlySet<unknown> = new Set(
  opsOf([...LOBBY, ...OWN_USER, streamOpenSchema, streamCloseSchema]),
);

/** Payloads that belong to no stream; an unknown reason for DISCONNECT is read as `server_error`. */
const NOTICES = [
  pongSchema,
  onlineSchema,
  pausesEventSchema,
  disconnectSchema.extend({
    d: disconnectSchema.shape.d.extend({
      reason: z.string().transform((reason) => (isReason(reason) ? reason : 'server_error')),
    }),
  }),
] as const;

/** Events of a gateway of profile 1. */
export const receivedProfileEvent = z.discriminatedUnion('op', [helloSchema, ...LOBBY, ...NOTICES]);

/** An event of a gateway of profile 1. */
export type ReceivedProfileEvent = z.infer<typeof receivedProfileEvent>;

/** Events of a gateway of profile 2 about the lobby, the user and the connection. */
export const receivedAccountEvent = z.discriminatedUnion('op', [
  // A later version may describe its limits in another way.
  accountHelloSchema.extend({ d: accountHelloSchema.shape.d.omit({ limits: true }) }),
  z.object({
    op: z.literal('READY'),
    // What it has besides this is read later, by those who need it.
    d: z.looseObject({
      user: receivedOwnUser.optional().catch(undefined),
      session: receivedSession.optional().catch(undefined),
      recovered: z.array(z.string()).exactOptional(),
      streams: streamPlacesSchema,
    }),
  }),
  resumedSchema,
  rateLimitedSchema,
  streamOpenSchema,
  streamCloseSchema,
  ...namedSchemas([...LOBBY, ...OWN_USER]),
  ...NOTICES,
]);

/** An event of a gateway of profile 2 about the lobby, the user and the connection. */
export type ReceivedAccountEvent = z.infer<typeof receivedAccountEvent>;

function isReason(reason: string): reason is DisconnectReason {
  return Object.hasOwn(DISCONNECT_REASONS, reason);
}

function opsOf(events: readonly z.ZodObject<{ readonly op: z.ZodLiteral<string> }>[]) {
  return events.map(({ shape }) => shape.op.value);
}
