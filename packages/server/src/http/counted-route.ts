import { RATE_LIMITS, type RateLimitKind } from '@hearth/protocol';
import type { Actor, Account } from '../actor.ts';
import type { TokenHolder } from '../authentication.ts';
import type { Context } from '../context.ts';
import { andThen, attempt } from '../lib/and-then.ts';
import type { Verdict } from '../ports/limiter/limiter.ts';
import { answerError } from './answer-error.ts';
import { accountOf, guestOf, tokenIn } from './authenticate.ts';
import type { Answer, Caller } from './caller.ts';
import { limitHeaders, requireAllowed, type HttpBucket } from './limited.ts';
import type { PathParams } from './router.ts';

interface RoutedRequest {
  readonly request: Request;
  readonly caller: Caller;
  readonly params: PathParams;
}

/** A request that was counted and may be answered. */
export interface CountedRequest extends RoutedRequest {
  readonly verdict: Verdict;
  readonly actor: Actor;
}

export type Respond = (counted: CountedRequest) => Response | Promise<Response>;

/** Returns the answer to a request that failed, before or after it was counted. */
type Fail = (
  error: unknown,
  failed: RoutedRequest & { readonly verdict?: Verdict },
) => Response | Promise<Response>;

const NO_PARAMS: PathParams = {};

/** The number of users of one address who may each use the whole limit. */
export const TIMES_OF_ADDRESS = 10;

/** The means by which the requests of a route are counted before anything else, and answered. */
interface CountedWork {
  readonly respond: Respond;
  /** Counts a request that counts for its address. */
  readonly ofAddress?: (client: string) => Verdict | Promise<Verdict>;
}

/** A route whose requests are counted in `bucket` before `respond` gets those that may be answered. */
export function countedRoute(
  ctx: Context,
  bucket: HttpBucket,
  { respond, ofAddress = (client) => ctx.limiter.take(bucket, client) }: CountedWork,
): Answer {
  const fail = failing(ctx, bucket);
  const answer = ({ request, caller, params }: RoutedRequest, verdict: Verdict, user?: Account) => {
    try {
      requireAllowed(request, verdict);
      const actor = user ?? guestOf(request, caller.client);
      return respond({ request, caller, params, verdict, actor });
    } catch (error) {
      return fail(error, { request, caller, params, verdict });
    }
  };
  const answerUser = answerToToken(ctx, bucket, { answer, ofAddress });
  return (request, caller, params = NO_PARAMS) => {
    const routed = { request, caller, params };
    try {
      const token = tokenIn(request);
      if (token !== undefined) return answerUser(routed, token);
      const verdict = ofAddress(caller.client);
      if (!(verdict instanceof Promise)) return answer(routed, verdict);
      return verdict.then(
        (known) => answer(routed, known),
        (error: unknown) => fail(error, routed),
      );
    } catch (error) {
      return fail(error, routed);
    }
  };
}

interface TokenWork extends Required<Pick<CountedWork, 'ofAddress'>> {
  readonly answer: (
    routed: RoutedRequest,
    verdict: Verdict,
    user?: Account,
  ) => Response | Promise<Response>;
}

/**
 * Answers requests with a token. The user is counted, and the address at ten times as much. The address comes first, so
 * that wrong tokens are limited like everything else.
 */
function answerToToken(
  ctx: Context,
  bucket: HttpBucket,
  { answer, ofAddress: ofGuest }: TokenWork,
) {
  const fail = failing(ctx, bucket);
  const row: RateLimitKind = RATE_LIMITS[bucket];
  const { withToken = bucket, isByAddress = false } = row;
  const ofAddress = ({ client }: Caller) =>
    isByAddress
      ? ofGuest(client)
      : ctx.limiter.take(withToken, `tokens of ${client}`, TIMES_OF_ADDRESS);
  const ofUser = (holder: TokenHolder, known: Verdict) =>
    isByAddress ? known : ctx.limiter.take(withToken, holder.countedAs);
  return (routed: RoutedRequest, token: string): Response | Promise<Response> => {
    const { client } = routed.caller;
    const count = (known: Verdict): Response | Promise<Response> => {
      if (!known.allowed) return answer(routed, known);
      return attempt(
        () =>
          andThen(ctx.authentication.check(token, client), (holder) =>
            andThen(ofUser(holder, known), (verdict) =>
              answer(routed, verdict, accountOf(holder, client, routed.request)),
            ),
          ),
        (error) => fail(error, { ...routed, verdict: known }),
      );
    };
    return attempt(
      () => andThen(ofAddress(routed.caller), count),
      (error) => fail(error, routed),
    );
  };
}

/** Makes the answers to requests of a route that failed. */
export function failing(ctx: Context, bucket: HttpBucket): Fail {
  return (error, { request, caller, verdict }) =>
    answerError(ctx, error, {
      request,
      caller,
      operation: RATE_LIMITS[bucket].operation,
      limitHeaders: verdict === undefined ? undefined : limitHeaders(verdict.policy, verdict),
    });
}
