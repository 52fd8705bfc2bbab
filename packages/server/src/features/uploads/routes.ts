import { ATTACHMENTS_BUCKET, NotFoundError, ValidationError } from '@hearth/protocol';
import type { Context as HonoContext } from 'hono';
import type { Context } from '../../context.ts';
import { createApp, resource, type HttpApp, type HttpEnv } from '../../http/app.ts';
import { contentLength, drain } from '../../http/body.ts';
import { limitHeaders, limited } from '../../http/limited.ts';
import { json } from '../../http/respond.ts';
import type { ServedContent } from '../../http/serve-content.ts';
import type { StoredContents } from '../../http/stored-contents.ts';
import { createUpload } from './create-upload.ts';
import { describeUpload } from './describe-upload.ts';
import { findUpload } from './find-upload.ts';
import { pacedBody } from './paced-body.ts';
import { receiveUpload } from './receive-upload.ts';
import type { StoredUpload } from './store.ts';

type RouteContext = HonoContext<HttpEnv>;

/** Uploading and fetching of the file service. Without a bucket `attachments` is meant. */
export function uploadRoutes(ctx: Context, contents: StoredContents): HttpApp {
  const app = createApp(ctx);
  const content = (disposition: ServedContent['disposition']) => (c: RouteContext) =>
    contents.serve(c, async () => ({
      ...(await requestedUpload(ctx, c)),
      disposition,
      isImmutable: true,
    }));
  const upload = [limited(ctx, 'attachments'), (c: RouteContext) => postUpload(ctx, c)];
  resource(app, '/', { POST: upload });
  resource(app, `/${ATTACHMENTS_BUCKET}`, { POST: upload, GET: [notFound] });
  resource(app, '/:bucket', {
    POST: [limited(ctx, 'attachments'), refuseBucket],
    GET: [content('inline')],
  });
  for (const prefix of ['/:bucket/:id', '/:id']) {
    resource(app, `${prefix}/data`, { GET: [(c) => getData(ctx, c)] });
    resource(app, `${prefix}/download`, { GET: [content('attachment')] });
  }
  return resource(app, '/:bucket/:id', { GET: [content('inline')] });
}

function notFound(): never {
  throw new NotFoundError();
}

function refuseBucket(): never {
  throw new ValidationError('bucket', `must be ${ATTACHMENTS_BUCKET}`);
}

async function postUpload(ctx: Context, c: RouteContext): Promise<Response> {
  const request = c.req.raw;
  const verdict = c.get('verdict');
  const reader = (request.body ?? new Blob([]).stream()).getReader();
  try {
    const { allowance, ...received } = await receiveUpload(ctx, {
      contentType: request.headers.get('content-type'),
      contentLength: contentLength(request),
      body: pacedBody(reader, { clock: ctx.clock, peer: c.env.peer }),
      verdict,
    });
    try {
      const data = await createUpload(ctx, { bucket: ATTACHMENTS_BUCKET, ...received });
      await allowance.bill();
      return json(data, limitHeaders(verdict.policy, await ctx.limiter.standing(verdict)));
    } finally {
      await allowance.giveBack();
    }
  } catch (error) {
    await drain(reader);
    c.set('limitHeaders', limitHeaders(verdict.policy, await ctx.limiter.standing(verdict)));
    throw error;
  }
}

async function getData(ctx: Context, c: RouteContext): Promise<Response> {
  return json(describeUpload(await requestedUpload(ctx, c)), c.get('limitHeaders'));
}

function requestedUpload(ctx: Context, c: RouteContext): Promise<StoredUpload> {
  const { bucket, id } = c.req.param();
  // With one parameter it is the id, whatever the route that matched calls it.
  return id === undefined || bucket === undefined
    ? findUpload(ctx, ATTACHMENTS_BUCKET, id ?? bucket ?? '')
    : findUpload(ctx, bucket, id);
}
