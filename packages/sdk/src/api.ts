import type { Http, Reading } from './http.ts';
import type { BucketName, RequestOptions } from './types.ts';
import { withQuery } from './urls.ts';

/** The methods of an instance's routes. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names in a path, each with its value: `/channels/:channel_id/posts` takes a `channel_id`. */
export type PathParams<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Readonly<Record<Name, string>> & PathParams<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Readonly<Record<Name, string>>
    : unknown;

/** A request to a route, in the same terms in which the server declares the route. */
export type ApiRequest<Path extends string, Answer> = RequestOptions & {
  readonly method: Method;
  /** Relative to the service, with its parameters: `/posts/:id/vote`. */
  readonly path: Path;
  /** The limit that counts it. */
  readonly limit: BucketName;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /**
   * True if the body has a secret, such as a password. If it must not be sent to the address, HearthError is thrown.
   */
  readonly hasSecret?: boolean | undefined;
  /** True if, with a token, the same request again changes nothing more. Then it is sent again if no answer comes. */
  readonly isRepeatable?: boolean | undefined;
  /** True if a page that is being left still sends it. */
  readonly outlivesPage?: boolean | undefined;
  /** True if the request goes without the token. */
  readonly isAnonymous?: boolean | undefined;
  /**
   * The longest time in milliseconds that the request waits for its limit, because a person waits for it. If it is
   * refused then, it fails with a RateLimitedError.
   */
  readonly longestWaitMs?: number | undefined;
  /**
   * True if its place may have a pace of its own, such as slow mode. If that refuses it, it fails with a
   * RateLimitedError, and requests elsewhere do not wait.
   */
  readonly hasOwnPace?: boolean | undefined;
  /** The name of a place whose requests wait for its pace, one after the other. */
  readonly lane?: string | undefined;
  /**
   * The time for which the request is repeated while its place is busy, if not as long as the client repeats others.
   */
  readonly longestBusyWaitMs?: number | undefined;
  /** A schema of the protocol, which parses the answer. */
  readonly answers: Reading<Answer>;
} & (unknown extends PathParams<Path>
    ? { readonly params?: undefined }
    : { readonly params: PathParams<Path> });

/** One service of an instance. The requests of every noun go through `request`. */
export class Api {
  readonly #http: Http;
  readonly #baseUrl: string;

  constructor(http: Http, baseUrl: string) {
    this.#http = http;
    this.#baseUrl = baseUrl;
  }

  /** Returns the parsed answer and its headers. Waits for the limit. Throws the same errors as `request`. */
  async requestWithHeaders<const Path extends string, Answer>(
    request: ApiRequest<Path, Answer>,
  ): Promise<{ readonly answer: Answer; readonly headers: Headers }> {
    let headers = new Headers();
    const answer = await this.#send(request, (given) => {
      headers = given;
    });
    return { answer, headers };
  }

  /** Returns the parsed answer. Waits for the limit. Throws the errors of this library, and TypeError if a parameter is empty, `.` or `..`. */
  request<const Path extends string, Answer>(request: ApiRequest<Path, Answer>): Promise<Answer> {
    return this.#send(request, undefined);
  }

  async #send<const Path extends string, Answer>(
    request: ApiRequest<Path, Answer>,
    onHeaders: ((headers: Headers) => void) | undefined,
  ): Promise<Answer> {
    const { method, path, limit: bucket, query = {}, body, answers, signal } = request;
    const { hasSecret, isAnonymous, isRepeatable, outlivesPage } = request;
    const { longestWaitMs, hasOwnPace, lane, longestBusyWaitMs } = request;
    const params: Readonly<Record<string, string>> = request.params ?? {};
    const url = withQuery(`${this.#baseUrl}${filledPath(path, params)}`, query);
    const flags = { hasSecret, isAnonymous, isRepeatable, outlivesPage };
    const waits = { longestWaitMs, hasOwnPace, lane, longestBusyWaitMs };
    const sent = { url, bucket, signal, method, onHeaders, ...flags, ...waits };
    if (body === undefined) return await this.#http.json(sent, answers);
    const headers = { 'Content-Type': 'application/json' };
    return await this.#http.json({ ...sent, headers, body: JSON.stringify(body) }, answers);
  }
}

function filledPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/(?<=\/):([^/]+)/g, (_match, name: string) => {
    const value = params[name] ?? '';
    // Such a segment would change the path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" is not a ${name}`);
    return encodeURIComponent(value);
  });
}
