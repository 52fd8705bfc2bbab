import {
  idAfter,
  LOBBY_STREAM,
  NotFoundError,
  ValidationError,
  type FileData,
  type Id,
  type LobbyMessage,
  type Message,
  type PostedMessage,
  type StreamEvent,
  type UserSummary,
} from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { andThen } from '../../../lib/and-then.ts';
import { within } from '../../../lib/within.ts';
import type { Appended } from '../../../ports/bus/bus.ts';
import { requireAdmission, type KeepsOrigins } from '../../accounts/moderation/moderation.ts';
import { nonceKey } from '../../platform/nonces/nonces.ts';
import type { KeepsReservedNames } from '../../accounts/users/users.ts';
import { completeMessages } from './complete-messages.ts';
import type { LobbyReading } from './lobby-reading.ts';
import { requireLobby } from '../places/places.ts';

/** The message that somebody posts; users post under their own name. */
export type PostInput = Omit<PostedMessage, 'author'> & Partial<Pick<PostedMessage, 'author'>>;

/** The message that is dispatched, before the files that it names are known. */
type Signed = PostedMessage & { readonly user?: UserSummary };

/** A message before the bus gives it its identifier, in the order of dispatch. */
type Draft = Omit<Extract<StreamEvent, { op: 'MESSAGE_CREATE' }>['d'], 'id'>;

/**
 * The time that a message may wait for the data of the files that it names; after that it is dispatched without them.
 */
const FILES_WITHIN_MS = 1_000;

const READING_FILES = 'Reading the files of a message';

/**
 * Dispatches a message to everyone. If it returns a promise, that resolves when the message is on its way (REST
 * service rule 3, Events: MESSAGE_CREATE). Throws UnauthorizedError or NotFoundError if the lobby is closed, ForbiddenError
 * and RateLimitedError if the owner restricts posting, ValidationError for a guest with the name of an account, and
 * NotFoundError if the message of a repeated nonce was deleted.
 */
export function createMessage(
  ctx: LobbyReading & KeepsOrigins & KeepsReservedNames,
  actor: Actor,
  input: PostInput,
): Message | LobbyMessage | Promise<Message | LobbyMessage> {
  requireLobby(ctx, actor);
  const admission = requireAdmission(ctx, actor, 'posting');
  if (admission === undefined) return sign(ctx, actor, input);
  return admission.then(() => sign(ctx, actor, input));
}

/** Dispatches a message under the name of its author. */
function sign(
  ctx: LobbyReading & KeepsOrigins & KeepsReservedNames,
  actor: Actor,
  { author = '', content, nonce }: PostInput,
): Message | Promise<Message> {
  if (actor.kind === 'account') {
    const signed = (user: UserSummary) =>
      dispatchWithFiles(ctx, actor, { author: user.username, content, nonce, user });
    return andThen(ctx.users.get(actor.user_id), signed);
  }
  const message: Signed = { author, content, nonce };
  if (!ctx.settings.rest.reservesNames) return dispatchWithFiles(ctx, actor, message);
  const isReserved = ctx.names.isReserved(author);
  if (isReserved === false) return dispatchWithFiles(ctx, actor, message);
  return requireFree(isReserved).then(() => dispatchWithFiles(ctx, actor, message));
}

async function requireFree(isReserved: true | Promise<boolean>): Promise<void> {
  if (!(await isReserved)) return;
  throw new ValidationError('author', 'is the name of an account, or looks like one');
}

function dispatchWithFiles(
  ctx: LobbyReading & KeepsOrigins,
  actor: Actor,
  message: Signed,
): Message | Promise<Message> {
  const { namedFiles, failures } = ctx;
  const { content } = message;
  if (!namedFiles.mayBeIn(content)) return dispatch(ctx, actor, message);
  const reading = namedFiles.in([content]);
  reading.catch((error: unknown) => failures.report(error, READING_FILES));
  return within(reading, FILES_WITHIN_MS).then((files) =>
    dispatch(ctx, actor, { ...message, attachments: files?.[0] }),
  );
}

function dispatch(
  ctx: LobbyReading & KeepsOrigins,
  actor: Actor,
  message: Signed & { readonly attachments?: readonly FileData[] | undefined },
): Message | Promise<Message> {
  const { bus, clock, origins } = ctx;
  const { author, content, nonce, attachments, user } = message;
  const created_at = clock.unixMs();
  const d: Draft =
    nonce === undefined ? { author, content, created_at } : { author, content, created_at, nonce };
  if (attachments !== undefined && attachments.length > 0) d.attachments = [...attachments];
  if (user !== undefined) d.user = user;
  // An empty nonce names nothing.
  if (user !== undefined && nonce !== undefined && nonce !== '') {
    return dispatchOnce(ctx, actor, { d, user, nonce });
  }
  const appended = bus.append({ op: 'MESSAGE_CREATE', d });
  const done = (id: Id): Message | LobbyMessage => {
    if (actor.kind === 'guest' || actor.kind === 'account') origins.note(id, actor.address);
    // The documented answer, or with an account what it takes to change the message.
    return user === undefined ? { author, content } : answerOf(id, d);
  };
  return appended instanceof Promise ? appended.then(done) : done(appended);
}

interface Repeatable {
  readonly d: Draft;
  readonly user: UserSummary;
  readonly nonce: string;
}

/** Dispatches the message of a user, unless the same nonce has dispatched one: then that is the result (LA16). */
function dispatchOnce(
  ctx: LobbyReading & KeepsOrigins,
  actor: Actor,
  { d, user, nonce }: Repeatable,
): LobbyMessage | Promise<LobbyMessage> {
  const key = nonceKey({ place: LOBBY_STREAM, userId: user.id, nonce });
  const appended = ctx.bus.appendOnce({ op: 'MESSAGE_CREATE', d }, key);
  const done = ({ id, isNew }: Appended) => {
    if (!isNew) return findEarlier(ctx, actor, { id, d });
    if (actor.kind === 'account') ctx.origins.note(id, actor.address);
    return answerOf(id, d);
  };
  return appended instanceof Promise ? appended.then(done) : done(appended);
}

/**
 * Finds what an earlier request dispatched, as it is now. Throws NotFoundError if it was deleted or is no longer kept.
 */
async function findEarlier(
  ctx: LobbyReading,
  actor: Actor,
  { id, d }: { readonly id: Id; readonly d: Draft },
): Promise<LobbyMessage> {
  // Without a history nobody changes or deletes it.
  if (ctx.settings.rest.history.messages === 0) return answerOf(id, d);
  const [message] = await ctx.history.list({ before: idAfter(id), limit: 1 });
  if (message?.id !== id) throw new NotFoundError();
  const [complete = message] = await completeMessages(ctx, actor, [message]);
  return complete;
}

function answerOf(id: Id, { nonce: _nonce, ...message }: Draft): LobbyMessage {
  return { id, ...message };
}
