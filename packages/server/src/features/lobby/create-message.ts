import type { Message, PostedMessage, StreamEvent } from '@hearth/protocol';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';

/** A message before the bus gives it its identifier, in the order of dispatch. */
type Draft = Omit<Extract<StreamEvent, { op: 'MESSAGE_CREATE' }>['d'], 'id'>;

/**
 * Dispatches a message to everyone. If it returns a promise, that resolves when the message is on its way (REST
 * service rule 3, Events: MESSAGE_CREATE).
 */
export function createMessage(
  { bus, clock }: Context,
  _actor: Actor,
  { author, content, nonce }: PostedMessage,
): Message | Promise<Message> {
  const created_at = clock.unixMs();
  const d: Draft =
    nonce === undefined ? { author, content, created_at } : { author, content, created_at, nonce };
  const dispatched = bus.append({ op: 'MESSAGE_CREATE', d });
  const message = { author, content };
  return dispatched instanceof Promise ? dispatched.then(() => message) : message;
}
