import { maxMessageBytes } from '@hearth/protocol';
import type { messageSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../context.ts';
import { readJsonBody } from '../../http/body.ts';
import type { FixedRoutes } from '../../http/fixed-routes.ts';
import { limitedJson } from '../../http/limited-route.ts';
import { createMessage } from './create-message.ts';

/** `POST /messages` of the REST service. */
export function messageRoutes(ctx: Context): FixedRoutes {
  const { messageLimit } = ctx.settings.rest;
  let schema: ReturnType<typeof messageSchema> | undefined;
  const maxBytes = maxMessageBytes(messageLimit);
  const post = limitedJson(ctx, 'message_create', async (request) => {
    schema ??= (await ctx.schemas()).messageSchema(messageLimit);
    const message = await readJsonBody(request, schema, maxBytes);
    return JSON.stringify(await createMessage(ctx, message));
  });
  return { '/messages': { POST: post } };
}
