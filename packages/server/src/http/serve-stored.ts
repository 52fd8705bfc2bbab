import { NotFoundError } from '@hearth/protocol';
import type { Context as HonoContext } from 'hono';
import type { Context } from '../context.ts';
import type { HttpEnv } from './app.ts';
import { serveContent, type ServedContent } from './serve-content.ts';
import type { BlobKey } from '../ports/blobs/blobs.ts';

/** A content that is kept, and how it is to be served. */
export interface StoredContent extends Omit<ServedContent, 'path'> {
  readonly blobKey: BlobKey;
}

/**
 * Answers GET of a content. Throws RangeNotSatisfiableError, and NotFoundError where its bytes are gone: they were
 * removed a moment ago, or else are lost, which the owner is told of.
 */
export async function serveStored(
  ctx: Context,
  c: HonoContext<HttpEnv>,
  { blobKey, ...content }: StoredContent,
): Promise<Response> {
  try {
    const served = { ...content, path: ctx.blobs.locate(blobKey) };
    return await serveContent(c.req.raw, served, c.get('limitHeaders'));
  } catch (error) {
    if (error instanceof NotFoundError) {
      ctx.refusals.count('ContentGone', c.env.client);
      ctx.log.debug({ blobKey }, 'a content is recorded but gone or damaged');
    }
    throw error;
  }
}
