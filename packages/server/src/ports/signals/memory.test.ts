import { fakeClock } from '@hearth/testing/fake-clock';
import { jsonLogger } from '../../log/logger.ts';
import { memorySignals } from './memory.ts';
import { signalsContract } from './signals.contract.ts';

signalsContract('in one process', async () => {
  const signals = memorySignals({ clock: fakeClock(), log: jsonLogger('silent', () => {}) });
  return { all: [signals], [Symbol.asyncDispose]: () => signals[Symbol.asyncDispose]() };
});
