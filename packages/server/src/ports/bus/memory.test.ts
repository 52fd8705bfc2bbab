import { busContract } from './bus.contract.ts';
import { memoryBus } from './memory.ts';

busContract('memory', memoryBus);
