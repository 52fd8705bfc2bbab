import { maxMessageBytes } from '@hearth/protocol';
import type { messageSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../context.ts';
import { readJsonBody } from '../../http/body.ts';
import type { FixedRoutes } from '../../http/fixed-routes.ts';
import { limitedJson } from '../../http/limited-route.ts';
import { createMessage } from './create-message.ts';

type MessageSchema = ReturnType<typeof messageSchema>;

/** `POST /messages` of the REST service. */
export function messageRoutes(ctx: Context): FixedRoutes {
  const { messageLimit } = ctx.settings.rest;
  const maxBytes = maxMessageBytes(messageLimit);
  let schema: MessageSchema | undefined;
  const load = async () => (schema = (await ctx.schemas()).messageSchema(messageLimit));
  const create = (request: Request, loaded: MessageSchema) =>
    readJsonBody(request, loaded, maxBytes).then((message) => {
      const created = createMessage(ctx, message);
      return created instanceof Promise
        ? created.then((done) => JSON.stringify(done))
        : JSON.stringify(created);
    });
  // Not async, because that is measurable here.
  const post = limitedJson(ctx, 'message_create', (request) =>
    schema === undefined
      ? load().then((loaded) => create(request, loaded))
      : create(request, schema),
  );
  return { '/messages': { POST: post } };
}
