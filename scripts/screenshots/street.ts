import { connect, memoryTokens, type Client } from '../../packages/sdk/src/index.ts';
import type { Id } from '../../packages/protocol/src/index.ts';
import type { FakeClock } from '@hearth/testing/fake-clock';
import { PASSWORD } from '../../packages/web/test/support/members.ts';
import type { WebInstance } from '../../packages/web/test/support/web-instance.ts';

/** The place of the neighbours: an instance, its time, and the drawings that they show. */
export interface Street {
  readonly instance: WebInstance;
  readonly clock: FakeClock;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Somebody without a browser, whose time is that of the instance. */
export async function settle({ instance, clock }: Street, username: string): Promise<Client> {
  const client = await connect(instance.url, {
    tokens: memoryTokens(),
    // Clients are given a public address that does not exist.
    addresses: {
      rest: `${instance.url}api`,
      gateway: `${instance.url}gateway`.replace('http', 'ws'),
      files: `${instance.url}files`,
    },
    author: username,
    clock: {
      now: () => clock.unixMs(),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
  });
  await client.register({ username, email: `${username}@lantern.example`, password: PASSWORD });
  return client;
}

/** Uploads one of the drawings. */
export async function picture(
  { files }: Street,
  client: Client,
  name: string,
): Promise<{ readonly id: Id; readonly key: string | undefined }> {
  const data = files.get(name);
  if (data === undefined) throw new Error(`there is no ${name}`);
  const file = new Blob([Uint8Array.from(data)], { type: 'image/png' });
  const { id, key } = await client.files.upload(file, { name });
  // Guarantee: identifiers of files are those of the wire.
  return { id: id as Id, key };
}
