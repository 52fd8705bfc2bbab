import {
  startDocumentedServer,
  type DocumentedServer,
} from '@hearth/testing/clients/documented-server';

/** A server whose lobby is busy for the first messages that it gets, as many as `times`. */
export function startBusyServer(times: number, retryAfterMs: number): DocumentedServer {
  const data = { retry_after: retryAfterMs, code: 'busy' };
  let left = times;
  return startDocumentedServer({
    answer({ method }) {
      if (method !== 'POST' || left === 0) return undefined;
      left -= 1;
      return Response.json({ status: 429, message: 'Too much', data }, { status: 429 });
    },
  });
}
