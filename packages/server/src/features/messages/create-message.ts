import type { Id, LobbyMessage, Message, PostedMessage } from '@hearth/protocol';
import type { Context } from '../../context.ts';

/**
 * Dispatches a message to everyone and keeps it in the history, in one order; where a promise is returned, it resolves
 * when the message is on its way (REST service rule 3, Events: MESSAGE_CREATE).
 */
export function createMessage(ctx: Context, posted: PostedMessage): Message | Promise<Message> {
  const { author, content } = posted;
  const dispatched = ctx.ids.nextFor((id) => dispatch(ctx, id, posted));
  const message = { author, content };
  return dispatched instanceof Promise ? dispatched.then(() => message) : message;
}

function dispatch(
  { bus, clock, history }: Context,
  id: Id,
  { author, content, nonce }: PostedMessage,
): void | Promise<void> {
  const message: LobbyMessage = { id, author, content, created_at: clock.unixMs() };
  const d = nonce === undefined ? message : { ...message, nonce };
  const handed = bus.publish({ audience: 'everyone', event: { op: 'MESSAGE_CREATE', d } });
  history.append(message);
  return handed;
}
