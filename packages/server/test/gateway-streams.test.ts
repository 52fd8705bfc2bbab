import { countedIds } from '@hearth/testing/ports/id-source';
import { memoryBus } from '../src/ports/bus/memory.ts';
import { gatewayStreamsContract } from './gateway-streams.contract.ts';

gatewayStreamsContract('memory', async () => {
  const bus = memoryBus({ ids: countedIds(), journaled: 'lobby', keep: () => {} });
  return { buses: [bus], [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose]() };
});
