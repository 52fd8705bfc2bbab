import type { TestInstance } from '@hearth/testing/instances/test-instance';
import { connect, createClient, type Client, type ClientOptions } from '../../src/index.ts';
import { startCutter, type Cutter } from './cutter.ts';

/** A client whose connections to the gateway, and on demand to the REST service, can be broken. */
export interface CuttableClient extends AsyncDisposable {
  readonly client: Client;
  /** Before the gateway. */
  readonly cutter: Cutter;
  /** Before the REST service. */
  readonly restCutter: Cutter;
}

/** It comes back at once, unless `options` say otherwise. */
export async function cuttableClient(
  { addresses }: Pick<TestInstance, 'addresses'>,
  options: ClientOptions = {},
): Promise<CuttableClient> {
  const cutter = await startCutter(addresses.gateway);
  const restCutter = await startCutter(addresses.rest);
  const plain = await connect(addresses.rest);
  await plain.close();
  const info = { ...plain.info, pandemonium_url: cutter.url, oprish_url: restCutter.url };
  const client = createClient(info, { random: () => 0, ...options });
  return {
    client,
    cutter,
    restCutter,
    async [Symbol.asyncDispose]() {
      await client.close();
      await cutter[Symbol.asyncDispose]();
      await restCutter[Symbol.asyncDispose]();
    },
  };
}
