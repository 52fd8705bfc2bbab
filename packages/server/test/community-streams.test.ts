import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { communityStreamsContract } from './community-streams.contract.ts';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;

communityStreamsContract('in one process', async () => {
  const instance = await startTestInstance({ toml: TOML });
  return { gateways: [instance], [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose]() };
});
