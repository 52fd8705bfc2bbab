import type { Message, PostedMessage } from '@hearth/protocol';
import type { Context } from '../../context.ts';

/**
 * Dispatches a message to everyone; where a promise is returned, it resolves when the message is on its way (REST
 * service rule 3, Events: MESSAGE_CREATE).
 */
export function createMessage(
  { bus, clock }: Context,
  { author, content, nonce }: PostedMessage,
): Message | Promise<Message> {
  const d = { author, content, created_at: clock.unixMs(), nonce };
  const dispatched = bus.publish({ audience: 'everyone', event: { op: 'MESSAGE_CREATE', d } });
  const message = { author, content };
  return dispatched instanceof Promise ? dispatched.then(() => message) : message;
}
