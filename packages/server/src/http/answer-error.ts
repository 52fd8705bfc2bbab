import { ProtocolError, ServerError } from '@hearth/protocol';
import type { Context } from '../context.ts';
import { drainUnread } from './body.ts';
import type { Caller } from './caller.ts';
import { renderError, type HeaderValues } from './respond.ts';

export interface FailedRequest {
  readonly request: Request;
  readonly caller: Caller;
  /** The operation, for the text of a 500; absent if no route was found. */
  readonly operation?: string | undefined;
  /** Its rate-limit headers; absent if it was not counted. */
  readonly limitHeaders?: HeaderValues | undefined;
}

const FALLBACK_OPERATION = 'Handling the request';

/**
 * Answers a request that failed with `error`, after taking its body. Counts the error if the client caused it, and
 * logs it if the fault is ours.
 */
export async function answerError(
  { refusals, failures }: Pick<Context, 'refusals' | 'failures'>,
  error: unknown,
  { request, caller, operation = FALLBACK_OPERATION, limitHeaders }: FailedRequest,
): Promise<Response> {
  const isRefusal = error instanceof ProtocolError && !(error instanceof ServerError);
  if (isRefusal) refusals.count(error.name, caller.client);
  else if (!request.signal.aborted) failures.report(error, operation);
  if (!caller.peer.isCrowded) await drainUnread(request);
  return renderError(error, operation, limitHeaders);
}
