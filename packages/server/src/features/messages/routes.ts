import { AUTHOR_LENGTH, messageSchema } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { createApp, resource, type HttpApp } from '../../http/app.ts';
import { readJsonBody } from '../../http/body.ts';
import { limited } from '../../http/limited.ts';
import { json } from '../../http/respond.ts';
import { createMessage } from './create-message.ts';

/** A character above U+FFFF written with escapes, the longest spelling JSON has. */
const MAX_BYTES_PER_CHARACTER = 12;

/** For the keys, spaces and fields that are ignored. */
const SPARE_BYTES = 64 * 1024;

/** `POST /messages` of the REST service. */
export function messageRoutes(ctx: Context): HttpApp {
  const { messageLimit } = ctx.settings.rest;
  const schema = messageSchema(messageLimit);
  const maxBytes = (messageLimit + AUTHOR_LENGTH.max) * MAX_BYTES_PER_CHARACTER + SPARE_BYTES;
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
