import type { FileData, Message, PostedMessage, StreamEvent } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import { within } from '../../lib/within.ts';
import type { LobbyContext } from './lobby-context.ts';

/** A message before the bus gives it its identifier, in the order of dispatch. */
type Draft = Omit<Extract<StreamEvent, { op: 'MESSAGE_CREATE' }>['d'], 'id'>;

/** How long a message may wait for the data of the files that it names; after that it is dispatched without them. */
const FILES_WITHIN_MS = 1_000;

/**
 * Dispatches a message to everyone. If it returns a promise, that resolves when the message is on its way (REST
 * service rule 3, Events: MESSAGE_CREATE).
 */
export function createMessage(
  ctx: LobbyContext,
  _actor: Actor,
  message: PostedMessage,
): Message | Promise<Message> {
  const { namedFiles } = ctx;
  const { content } = message;
  if (!namedFiles.mayBeIn(content)) return dispatch(ctx, message, []);
  return within(namedFiles.in([content]), FILES_WITHIN_MS).then((files) =>
    dispatch(ctx, message, files?.[0] ?? []),
  );
}

function dispatch(
  { bus, clock }: LobbyContext,
  { author, content, nonce }: PostedMessage,
  attachments: readonly FileData[],
): Message | Promise<Message> {
  const created_at = clock.unixMs();
  const d: Draft =
    nonce === undefined ? { author, content, created_at } : { author, content, created_at, nonce };
  if (attachments.length > 0) d.attachments = [...attachments];
  const dispatched = bus.append({ op: 'MESSAGE_CREATE', d });
  const message = { author, content };
  return dispatched instanceof Promise ? dispatched.then(() => message) : message;
}
