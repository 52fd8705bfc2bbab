import { NotFoundError } from '@hearth/protocol';
import type { Context as HonoContext } from 'hono';
import type { Context } from '../context.ts';
import type { BlobKey } from '../ports/blobs/blobs.ts';
import { fileInMemory, isFileWhole } from '../runtime/file-body.ts';
import type { HttpEnv } from './app.ts';
import type { Answer } from './caller.ts';
import { LimitedHeaders } from './limited-headers.ts';
import { limitedRoute, type Respond } from './limited-route.ts';
import { limitHeaders } from './limited.ts';
import { requestPath } from './path.ts';
import { RecentlyUsed } from './recently-used.ts';
import { serveContent, wholeContentHeaders, type ServedContent } from './serve-content.ts';

/** A content that is kept, and how it is to be served. */
export interface StoredContent extends Omit<ServedContent, 'path'> {
  readonly blobKey: BlobKey;
}

/** Larger files are the system's to keep, which is as fast with them. */
const HOT_FILE_BYTES = 256 * 1024;
const HOT_BYTES = 32 * 1024 * 1024;

/** About what a remembered answer takes beside its file. */
const ANSWER_BYTES = 8 * 1024;

/**
 * Serves contents. Small ones are answered from memory when they are asked for again, without router, database and
 * file system, until something is committed that could have changed the answer. {@link HOT_BYTES} bound what that
 * takes.
 */
export class StoredContents {
  readonly #ctx: Context;
  readonly #answers = new RecentlyUsed<Answer>(HOT_BYTES);
  #revision: number;
  #hasLooked = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#revision = ctx.database.revision();
  }

  /** The answer to GET of `path`, where it was served before and is still the same. */
  answerTo(path: string): Answer | undefined {
    // Once in a turn of the event loop, because looking takes a tenth of the time of an answer: who asks in this turn
    // has asked before it began, and cannot know of what was committed since.
    if (!this.#hasLooked) {
      this.#hasLooked = true;
      setImmediate(() => {
        this.#hasLooked = false;
      });
      if (!this.#canTell()) return undefined;
    }
    return this.#answers.get(path);
  }

  /**
   * Answers GET of the content that `find` gives. Throws what that throws, RangeNotSatisfiableError, and NotFoundError
   * where the content's bytes are gone: they were removed a moment ago, or else are lost, which the owner is told of.
   */
  async serve(c: HonoContext<HttpEnv>, find: () => Promise<StoredContent>): Promise<Response> {
    this.#forgetOutdated();
    const revision = this.#revision;
    const { blobKey, ...content } = await find();
    const isSmall = content.sizeBytes <= HOT_FILE_BYTES;
    const served = { ...content, path: this.#ctx.blobs.locate(blobKey) };
    const file = isSmall ? await fileInMemory(served.path, served.sizeBytes) : undefined;
    if (isSmall && file === undefined) throw this.#gone(blobKey, c.env.client);
    const respond = this.#responder(served, blobKey, file);
    this.#forgetOutdated();
    // Not where something was committed meanwhile, which may have changed what was found.
    if (revision === this.#revision) {
      const answer = limitedRoute(this.#ctx, 'fetch_file', respond);
      const bytes = ANSWER_BYTES + (file?.size ?? 0);
      this.#answers.set(requestPath(c.req.raw.url), answer, bytes);
    }
    return respond(c.req.raw, c.get('verdict'), c.env);
  }

  #responder(content: ServedContent, blobKey: BlobKey, file: Blob | undefined): Respond {
    const headers = new LimitedHeaders(wholeContentHeaders(content));
    return (request, verdict, { client, peer }) => {
      if (file !== undefined && !isConditional(request)) {
        peer.allowReading();
        return new Response(file, { headers: headers.of(verdict) });
      }
      if (!isFileWhole(content.path, content.sizeBytes)) throw this.#gone(blobKey, client);
      peer.allowReading();
      return serveContent(request, content, limitHeaders(verdict.policy, verdict));
    };
  }

  /** Whether the database tells of commits. Where it does not, the route will meet the same, and answer for it. */
  #canTell(): boolean {
    try {
      this.#forgetOutdated();
      return true;
    } catch {
      this.#answers.clear();
      return false;
    }
  }

  #forgetOutdated(): void {
    const revision = this.#ctx.database.revision();
    if (revision === this.#revision) return;
    this.#revision = revision;
    this.#answers.clear();
  }

  #gone(blobKey: BlobKey, client: string): NotFoundError {
    this.#ctx.refusals.count('ContentGone', client);
    this.#ctx.log.debug({ blobKey }, 'a content is recorded but gone or damaged');
    return new NotFoundError();
  }
}

function isConditional({ headers }: Request): boolean {
  return headers.has('range') || headers.has('if-none-match');
}
