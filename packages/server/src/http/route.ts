import type { ErrorName } from '@hearth/protocol';
import type { z, ZodObject, ZodType } from 'zod';
import type { Account, Actor, SessionAccount } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Auth } from './authenticate.ts';
import type { HeadedAnswer } from './headed-answer.ts';
import type { HttpBucket } from './limited.ts';
import type { Keeper } from './respond.ts';
import type { Method } from './router.ts';
import type { StoredContent } from './stored-contents.ts';
import type { StreamedBody } from './streamed-body.ts';

/** In place of a schema: the route answers with the bytes of a content, or parts of them. */
export const CONTENT = 'content';

/** In place of a schema: a form that the verb takes as it streams in, as a {@link StreamedBody}. */
export interface StreamedForm {
  /** The fields of the form, for the OpenAPI document. */
  readonly form: ZodObject;
}

/**
 * A route as data. Everything that a request passes through (counting, account, parsing, CORS, errors) is made from it
 * at the start, and the OpenAPI document on the first request for it.
 */
export interface Route<Ctx = Context> {
  readonly method: Method;
  /** Segments that begin with a colon are parameters. */
  readonly path: string;
  /** The operation's name in the OpenAPI document. */
  readonly name: string;
  /** The tag under which the document lists it. */
  readonly tag: string;
  readonly summary: string;
  /** Left out of the OpenAPI document. */
  readonly isHidden?: boolean;
  /** The rate limit that every request counts in. */
  readonly limit: HttpBucket;
  readonly auth: Auth;
  /** A parameter that does not fit is answered with a NotFoundError. */
  readonly params?: ZodObject;
  readonly query?: ZodObject;
  /** The headers that the verb reads, by their names in lower case. */
  readonly headers?: ZodObject;
  readonly body?: ZodType | StreamedForm;
  /** The body of a request with a token, if it differs: a subset of {@link body}. */
  readonly bodyOfUser?: ZodType;
  /** Bytes of the body that are read at most; the default is {@link DEFAULT_BODY_BYTES}. */
  readonly maxBodyBytes?: number;
  /**
   * The verb finds out for whom a request counts: it gets a {@link Counting} in its input. At first, a request counts for its
   * address at ten times the limit. For a route with a body of JSON.
   */
  readonly countsLate?: true;
  /** The JSON of its 200. A verb that removes something returns what it removed. */
  readonly answers: ZodType | typeof CONTENT;
  /**
   * Errors that the verb throws and that do not follow from the rest, such as a ForbiddenError. For the OpenAPI
   * document.
   */
  readonly throws?: readonly ErrorName[];
  /**
   * Headers that an answer may have besides the usual ones, with what they say. The verb then returns a
   * {@link HeadedAnswer}.
   */
  readonly addsHeaders?: Readonly<Record<string, string>>;
  /** The answer is the same for everyone, and made once, on the first request. */
  readonly isConstant?: boolean;
  /**
   * Returns who may keep an answer permanently, because it stays true for as long as there is one. Not for a route with
   * a body.
   */
  readonly keptBy?: (answer: unknown) => Keeper;
  /**
   * Returns what a content depends on besides the path, as text that is the same for the same content. For {@link
   * CONTENT} routes that read the query or headers.
   */
  readonly keyedBy?: (input: unknown) => string;
  /** Returns what a request gives to see a content that has a {@link StoredContent.secret}. */
  readonly secretIn?: (input: unknown) => string | undefined;
  /** `input` is one object with what the schemas of params, query, headers and body returned. */
  readonly handle: (ctx: Ctx, actor: Actor, input: unknown) => unknown;
}

/** Bytes of a body that are read at most, unless a route says otherwise. */
export const DEFAULT_BODY_BYTES = 64 * 1024;

type InputKeys = 'params' | 'query' | 'headers' | 'body';
type Schema = ZodObject | undefined;
type Body = ZodType | StreamedForm | undefined;
type Answers = ZodType | typeof CONTENT;

type ParsedBy<Given> = Given extends ZodType
  ? z.output<Given>
  : Given extends StreamedForm
    ? StreamedBody
    : unknown;

type ResultFor<Given extends Answers> = Given extends ZodType
  ? ReadonlyList<z.input<Given>>
  : StoredContent;

type ReadonlyList<Value> = Value extends readonly (infer Entry)[] ? readonly Entry[] : Value;

interface TypedRoute<
  Ctx,
  P extends Schema,
  Q extends Schema,
  H extends Schema,
  B extends Body,
  A extends Answers,
  Who extends Auth,
> extends Omit<
  Route<Ctx>,
  InputKeys | 'auth' | 'answers' | 'keptBy' | 'keyedBy' | 'secretIn' | 'handle'
> {
  readonly auth: Who;
  readonly params?: P;
  readonly query?: Q;
  readonly headers?: H;
  readonly body?: B;
  readonly answers: A;
  readonly keptBy?: (answer: ResultFor<A>) => Keeper;
  readonly keyedBy?: (input: ParsedBy<P> & ParsedBy<Q> & ParsedBy<H>) => string;
  readonly secretIn?: (input: ParsedBy<P> & ParsedBy<Q> & ParsedBy<H>) => string | undefined;
  readonly handle: (
    ctx: Ctx,
    actor: ActorOf<Who>,
    input: ParsedBy<P> & ParsedBy<Q> & ParsedBy<H> & ParsedBy<B>,
  ) => Returned<ResultFor<A>> | Promise<Returned<ResultFor<A>>>;
}

type ActorOf<Who extends Auth> = Who extends 'session'
  ? SessionAccount
  : Who extends 'user'
    ? Account
    : Actor;

type Returned<Result> = Result | HeadedAnswer<Result>;

/** Checks that a route's verb fits its schemas. */
export function route<
  Ctx,
  A extends Answers,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  H extends Schema = undefined,
  B extends Body = undefined,
  Who extends Auth = Auth,
>(spec: TypedRoute<Ctx, P, Q, H, B, A, Who>): Route<Ctx> {
  // Guarantee: `handle` is called only with what the route's own schemas returned, and with the actor that `auth` requires.
  return spec as unknown as Route<Ctx>;
}

export function isStreamed(body: Route['body']): body is StreamedForm {
  return body !== undefined && 'form' in body;
}
