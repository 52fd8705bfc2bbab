import { NotFoundError, RATE_LIMITS, RateLimitedError } from '@hearth/protocol';
import type { ServiceContext } from '../../context.ts';
import { answerError } from '../../http/answer-error.ts';
import type { Answer, Caller } from '../../http/caller.ts';
import { limitHeaders, requireAllowed } from '../../http/limited.ts';
import { rawPath } from '../../http/path.ts';
import type { HeaderValues } from '../../http/respond.ts';
import type { PathParams } from '../../http/router.ts';
import type { Limiter } from '../../ports/limiter/limiter.ts';
import type {
  Documents,
  FindShown,
  PlaceDocument,
  PlaceHead,
  Rendered,
} from '../../features/publishing/public-pages/public-pages.ts';
import { prefersJson, answer, documentHeaders, pageAnswer, type PageFor } from './answers.ts';
import { pageAt, withHead } from './page.ts';
import { etagOf } from './site.ts';
import { hostIn } from './view.ts';

/** The times in milliseconds that an answer waits for what there is to say about a place. */
export interface Patience {
  /** A page comes without it then. */
  readonly pageMs: number;
  /** A document for programs is nothing without it. */
  readonly documentMs: number;
}

const PATIENCE: Patience = { pageMs: 500, documentMs: 3_000 };

/** Addresses that only programs ask for. */
const FEED = /\.(rss|atom)$/;

/** The parts that plain pages need besides the page. */
export interface PlainParts {
  readonly pageFor: PageFor;
  readonly rendered: Documents;
  readonly limiter: Pick<Limiter, 'take'>;
  readonly patience?: Patience | undefined;
}

/** Answers a request that was counted. */
type Respond = (
  request: Request,
  caller: Caller,
  params: PathParams,
) => Response | Promise<Response>;

/** Answers with what visitors may see at places. Requests count as `page` for the address of the client, also with a token. */
export class PlainAnswers {
  readonly #ctx: ServiceContext;
  readonly #parts: PlainParts;
  readonly #page: Answer;
  readonly #patience: Patience;

  constructor(ctx: ServiceContext, parts: PlainParts) {
    this.#ctx = ctx;
    this.#parts = parts;
    this.#page = pageAnswer(parts.pageFor);
    this.#patience = parts.patience ?? PATIENCE;
  }

  /**
   * Answers with the page at a place and what it says to programs and to readers without scripts, or with a feed of the place.
   * Somebody who opens it in a browser gets the page, at least.
   */
  placeAt(path: string, find: FindShown): Answer {
    const ofFeed = this.documentAt(path, find);
    const respond: Respond = async (request, caller, params) => {
      const { client } = caller;
      const wanted = { path, params, find, client, patienceMs: this.#patience.pageMs };
      const found = await this.#parts.rendered.at(wanted).catch((error: unknown) => {
        if (error instanceof RateLimitedError) throw error;
        this.#ctx.failures.report(error, RATE_LIMITS.page.operation);
      });
      if (found === undefined || found === 'late') return await this.#page(request, caller);
      return 'text' in found ? this.#document(request, found) : this.#pageWith(request, found);
    };
    const ofPage = this.#counted(respond, (request, caller) =>
      isOpened(request) ? this.#page(request, caller) : undefined,
    );
    return (request, caller, params) => {
      if (FEED.test(rawPath(request.url))) return ofFeed(request, caller, params);
      const wantsInfo = prefersJson(request.headers.get('accept'));
      return (wantsInfo ? this.#page : ofPage)(request, caller, params);
    };
  }

  documentAt(path: string, find: FindShown): Answer {
    return this.#counted(async (request, { client }, params) => {
      const wanted = { path, params, find, client, patienceMs: this.#patience.documentMs };
      const found = await this.#parts.rendered.at(wanted);
      if (found === 'late') throw new Error('the database did not answer in time');
      if (found === undefined || !('text' in found)) throw new NotFoundError();
      return this.#document(request, found);
    });
  }

  #pageWith(request: Request, { tag, head, picture, body }: Rendered & PlaceHead): Response {
    const { view, text, headers, etag: pageTag } = this.#parts.pageFor(request);
    const webUrl = this.#webUrlAt(request);
    const content = {
      etag: tagOf([tag, pageTag, webUrl]),
      body: () => {
        const addressed = (html: string) => this.#parts.rendered.addressed(html, webUrl);
        const place = { head: addressed(head), picture, body: body && addressed(body) };
        return withHead(pageAt(text, rawPath(request.url)), place, view);
      },
    };
    return answer(request, content, headers);
  }

  #document(request: Request, { tag, contentType, text }: Rendered & PlaceDocument): Response {
    const webUrl = this.#webUrlAt(request);
    const content = {
      etag: tagOf([tag, webUrl]),
      body: () => this.#parts.rendered.addressed(text, webUrl),
    };
    return answer(request, content, documentHeaders(contentType));
  }

  /** Counts a request before it is answered. `instead` may answer one that is refused. */
  #counted(
    respond: Respond,
    instead: (request: Request, caller: Caller) => ReturnType<Answer> | undefined = () => undefined,
  ): Answer {
    return async (request, caller, params = {}) => {
      let limits: HeaderValues = {};
      const limited = (response: Response) => {
        for (const [name, value] of Object.entries(limits)) response.headers.set(name, value);
        return response;
      };
      try {
        const verdict = await this.#parts.limiter.take('page', caller.client);
        limits = limitHeaders(verdict.policy, verdict);
        requireAllowed(request, verdict);
        return limited(await respond(request, caller, params));
      } catch (error) {
        const other = error instanceof RateLimitedError ? instead(request, caller) : undefined;
        if (other !== undefined) return limited(await other);
        const { operation } = RATE_LIMITS.page;
        const failed = { request, caller, operation, limitHeaders: limits };
        return await answerError(this.#ctx, error, failed);
      }
    };
  }

  /** The address of the web client, without a slash at its end: the public one, or that by which it was asked. */
  #webUrlAt(request: Request): string {
    const { publicUrl } = this.#ctx.settings;
    if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
    const host = hostIn(request.headers.get('host'))?.host;
    return host === undefined ? '' : `http://${host}`;
  }
}

/** Checks whether a browser asks for what its user opens; programs do not say so. */
function isOpened(request: Request): boolean {
  return request.headers.get('sec-fetch-mode') === 'navigate';
}

function tagOf(parts: readonly string[]): string {
  return etagOf(Buffer.from(JSON.stringify(parts)));
}
