import { maxMessageBytes } from '@hearth/protocol';
import type { postedMessageSchema } from '@hearth/protocol/schemas';
import type { Context } from '../../context.ts';
import { readJsonBody } from '../../http/body.ts';
import type { FixedRoutes } from '../../http/fixed-routes.ts';
import { limitedJson } from '../../http/limited-route.ts';
import { createMessage } from './create-message.ts';
import { listMessages } from './list-messages.ts';
import { messageQuery } from './message-query.ts';

type MessageSchema = ReturnType<typeof postedMessageSchema>;

/** `POST /messages` of the REST service, and `GET /messages`, the history of the lobby. */
export function messageRoutes(ctx: Context): FixedRoutes {
  const { messageLimit } = ctx.settings.rest;
  const maxBytes = maxMessageBytes(messageLimit);
  let schema: MessageSchema | undefined;
  const load = async () => (schema = (await ctx.schemas()).postedMessageSchema(messageLimit));
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
  const list = limitedJson(ctx, 'message_list', async ({ url }) =>
    JSON.stringify(await listMessages(ctx, messageQuery(url))),
  );
  return { '/messages': { GET: list, POST: post } };
}
