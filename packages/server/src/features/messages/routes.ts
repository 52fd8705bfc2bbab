import { maxMessageBytes, messageSchema } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { createApp, resource, type HttpApp } from '../../http/app.ts';
import { readJsonBody } from '../../http/body.ts';
import { limited } from '../../http/limited.ts';
import { json } from '../../http/respond.ts';
import { createMessage } from './create-message.ts';

/** `POST /messages` of the REST service. */
export function messageRoutes(ctx: Context): HttpApp {
  const { messageLimit } = ctx.settings.rest;
  const schema = messageSchema(messageLimit);
  const maxBytes = maxMessageBytes(messageLimit);
  return resource(createApp(ctx), '/messages', {
    POST: [
      limited(ctx, 'message_create'),
      async (c) => {
        const message = await readJsonBody(c.req.raw, schema, maxBytes);
        return json(await createMessage(ctx, message), c.get('limitHeaders'));
      },
    ],
  });
}
