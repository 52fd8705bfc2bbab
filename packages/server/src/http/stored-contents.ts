import { NotFoundError } from '@hearth/protocol';
import type { Context as HonoContext } from 'hono';
import type { Context } from '../context.ts';
import type { BlobKey, BlobPlace, DiskPlace, RemotePlace } from '../ports/blobs/blobs.ts';
import { fileInMemory, isFileWhole } from '../runtime/file-body.ts';
import type { HttpEnv } from './app.ts';
import type { Answer } from './caller.ts';
import { LimitedHeaders } from './limited-headers.ts';
import { limitedRoute, type Respond } from './limited-route.ts';
import { limitHeaders } from './limited.ts';
import { requestPath } from './path.ts';
import { RecentlyUsed } from './recently-used.ts';
import { RemoteBytes } from './remote-bytes.ts';
import {
  serveContent,
  wholeContentHeaders,
  type DescribedContent,
  type ServedContent,
} from './serve-content.ts';

/** A content that is kept, and how it is to be served. */
export interface StoredContent extends DescribedContent {
  readonly blobKey: BlobKey;
  readonly sizeBytes: number;
}

/** Larger files are the system's to keep, which is as fast with them; and larger contents of S3 are never held. */
const HOT_FILE_BYTES = 256 * 1024;
const HOT_BYTES = 32 * 1024 * 1024;

/** About what a remembered answer takes beside its file. */
const ANSWER_BYTES = 8 * 1024;

/**
 * Serves contents. Small ones are answered from memory when they are asked for again, without router, database and
 * file system, until something is committed that could have changed the answer. {@link HOT_BYTES} bound what that
 * takes; where contents are on another machine, as many again what is kept of them for longer.
 */
export class StoredContents {
  readonly #ctx: Context;
  readonly #answers = new RecentlyUsed<Answer>(HOT_BYTES);
  readonly #remoteBytes = new RemoteBytes(HOT_BYTES);
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
    const content = await find();
    const { blobKey, sizeBytes } = content;
    const place = this.#ctx.blobs.locate(blobKey);
    const isSmall = sizeBytes <= HOT_FILE_BYTES;
    const bytes = isSmall ? await this.#bytesOf(content, place) : undefined;
    if (isSmall && bytes === undefined) throw this.#gone(blobKey, c.env.client);
    const respond =
      place.at === 'disk'
        ? this.#diskResponder(content, place, bytes)
        : this.#remoteResponder(content, place, bytes);
    this.#forgetOutdated();
    // Not where something was committed meanwhile, which may have changed what was found.
    if (revision === this.#revision) {
      const answer = limitedRoute(this.#ctx, 'fetch_file', respond);
      const weight = ANSWER_BYTES + (bytes?.size ?? 0);
      this.#answers.set(requestPath(c.req.raw.url), answer, weight);
    }
    return respond(c.req.raw, c.get('verdict'), c.env);
  }

  #bytesOf({ blobKey, sizeBytes }: StoredContent, place: BlobPlace): Promise<Blob | undefined> {
    return place.at === 'disk'
      ? fileInMemory(place.path, sizeBytes)
      : this.#remoteBytes.of({ blobKey, place, sizeBytes });
  }

  #diskResponder(content: StoredContent, place: DiskPlace, bytes: Blob | undefined): Respond {
    const headers = new LimitedHeaders(wholeContentHeaders(content));
    const served: ServedContent = { ...content, source: place };
    return (request, verdict, { client, peer }) => {
      if (bytes !== undefined && !isConditional(request)) {
        peer.allowReading();
        return new Response(bytes, { headers: headers.of(verdict) });
      }
      if (!isFileWhole(place.path, content.sizeBytes)) throw this.#gone(content.blobKey, client);
      peer.allowReading();
      return serveContent(request, served, limitHeaders(verdict.policy, verdict));
    };
  }

  #remoteResponder(content: StoredContent, place: RemotePlace, bytes: Blob | undefined): Respond {
    const headers = new LimitedHeaders(wholeContentHeaders(content));
    if (bytes !== undefined) {
      const served: ServedContent = { ...content, source: { at: 'memory', bytes } };
      return (request, verdict, { peer }) => {
        peer.allowReading();
        return isConditional(request)
          ? serveContent(request, served, limitHeaders(verdict.policy, verdict))
          : new Response(bytes, { headers: headers.of(verdict) });
      };
    }
    const served: ServedContent = { ...content, source: place };
    return async (request, verdict, { client, peer }) => {
      if ((await place.size()) !== content.sizeBytes) throw this.#gone(content.blobKey, client);
      peer.allowReading();
      return heldIfSmall(serveContent(request, served, limitHeaders(verdict.policy, verdict)));
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

/** The same answer, held in memory where it is a small part: its length is told then, and whether it can be had. */
async function heldIfSmall(answer: Response): Promise<Response> {
  const sizeBytes = Number(answer.headers.get('content-length') ?? Infinity);
  return sizeBytes <= HOT_FILE_BYTES ? new Response(await answer.blob(), answer) : answer;
}
