import { Client } from './client.ts';
import { findInstance } from './find-instance.ts';
import { createSession } from './session.ts';
import type { ClientOptions } from './types.ts';
import { baseUrl } from './urls.ts';

/** Like `connect`, but makes a client without communities, as `createLightClient` does. */
export async function connectLight(
  url: string | URL,
  options: ClientOptions = {},
): Promise<Client> {
  const { signal, info } = options;
  signal?.throwIfAborted();
  baseUrl(url);
  const session = createSession(options);
  if (info !== undefined) return new Client(info, session);
  // A secret must not be sent in the clear to an address that somebody typed without a scheme.
  const mayUseHttp = options.tokens === undefined && options.accessCode === undefined;
  const found = await findInstance(session.anonymousHttp, url, { mayUseHttp, signal });
  const { webUrl = found.webUrl } = options;
  const { secrets } = found;
  const client = new Client(found.info, { ...session, secrets, options: { ...options, webUrl } });
  await client.learn(signal);
  // Nobody waits for it, and the next start tries again.
  if (options.tokens !== undefined) void client.sessions.renewOldToken().catch(() => {});
  return client;
}
