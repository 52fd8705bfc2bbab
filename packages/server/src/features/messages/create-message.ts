import type { Message } from '@hearth/protocol';
import type { Context } from '../../context.ts';

/** Dispatches a message to everyone; resolves when it is on its way (REST service rule 3, Events: MESSAGE_CREATE). */
export async function createMessage(ctx: Context, message: Message): Promise<Message> {
  await ctx.bus.publish({ audience: 'everyone', event: { op: 'MESSAGE_CREATE', d: message } });
  return message;
}
