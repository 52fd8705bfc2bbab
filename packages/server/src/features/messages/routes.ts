import { maxMessageBytes } from '@hearth/protocol';
import type { postedMessageSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../context.ts';
import { parseJsonBody, type BodyBytes } from '../../http/body.ts';
import type { FixedRoutes } from '../../http/fixed-routes.ts';
import { limitedJson, limitedJsonPost } from '../../http/limited-route.ts';
import { createMessage } from './create-message.ts';
import { listMessages } from './list-messages.ts';
import { messageQuery } from './message-query.ts';

type MessageSchema = ReturnType<typeof postedMessageSchema>;

/** `POST /messages` of the REST service, and `GET /messages`, the history of the lobby. */
export function messageRoutes(ctx: Context): FixedRoutes {
  const { messageLimit } = ctx.settings.rest;
  let schema: MessageSchema | undefined;
  const load = async () => (schema = (await ctx.schemas()).postedMessageSchema(messageLimit));
  const create = (body: BodyBytes, loaded: MessageSchema) => {
    const created = createMessage(ctx, parseJsonBody(body, loaded));
    return created instanceof Promise
      ? created.then((done) => JSON.stringify(done))
      : JSON.stringify(created);
  };
  // Not async, because that is measurable here.
  const post = limitedJsonPost(ctx, 'message_create', {
    maxBytes: maxMessageBytes(messageLimit),
    produce: (body) =>
      schema === undefined ? load().then((loaded) => create(body, loaded)) : create(body, schema),
  });
  const list = limitedJson(ctx, 'message_list', async ({ url }) =>
    JSON.stringify(await listMessages(ctx, messageQuery(url))),
  );
  return { '/messages': { GET: list, POST: post } };
}
