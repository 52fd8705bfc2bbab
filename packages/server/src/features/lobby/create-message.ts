import type { FileData, Id, Message, PostedMessage, StreamEvent } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { within } from '../../lib/within.ts';
import { requireAdmission } from '../moderation/require-admission.ts';
import type { LobbyContext } from './lobby-context.ts';

/** A message before the bus gives it its identifier, in the order of dispatch. */
type Draft = Omit<Extract<StreamEvent, { op: 'MESSAGE_CREATE' }>['d'], 'id'>;

/** How long a message may wait for the data of the files that it names; after that it is dispatched without them. */
const FILES_WITHIN_MS = 1_000;

const READING_FILES = 'Reading the files of a message';

/**
 * Dispatches a message to everyone. If it returns a promise, that resolves when the message is on its way (REST
 * service rule 3, Events: MESSAGE_CREATE). Throws ForbiddenError and RateLimitedError if the owner restricts posting.
 */
export function createMessage(
  ctx: LobbyContext,
  actor: Actor,
  message: PostedMessage,
): Message | Promise<Message> {
  const admission = requireAdmission(ctx, actor, 'posting');
  if (admission === undefined) return dispatchWithFiles(ctx, actor, message);
  return admission.then(() => dispatchWithFiles(ctx, actor, message));
}

function dispatchWithFiles(
  ctx: LobbyContext,
  actor: Actor,
  message: PostedMessage,
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
  { bus, clock, origins }: LobbyContext,
  actor: Actor,
  message: PostedMessage & { readonly attachments?: readonly FileData[] | undefined },
): Message | Promise<Message> {
  const { author, content, nonce, attachments } = message;
  const created_at = clock.unixMs();
  const d: Draft =
    nonce === undefined ? { author, content, created_at } : { author, content, created_at, nonce };
  if (attachments !== undefined && attachments.length > 0) d.attachments = [...attachments];
  const appended = bus.append({ op: 'MESSAGE_CREATE', d });
  const done = (id: Id): Message => {
    if (actor.kind === 'guest') origins.note(id, actor.address);
    return { author, content };
  };
  return appended instanceof Promise ? appended.then(done) : done(appended);
}
