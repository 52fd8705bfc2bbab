import type { Message } from '@hearth/protocol';
import type { Context } from '../../context.ts';

/**
 * Dispatches a message to everyone; where a promise is returned, it resolves when the message is on its way
 * (REST service rule 3, Events: MESSAGE_CREATE).
 */
export function createMessage(ctx: Context, message: Message): Message | Promise<Message> {
  const handed = ctx.bus.publish({
    audience: 'everyone',
    event: { op: 'MESSAGE_CREATE', d: message },
  });
  return handed === undefined ? message : handed.then(() => message);
}
