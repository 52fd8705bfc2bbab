import { memoryPresence } from './memory.ts';
import { presenceContract } from './presence.contract.ts';

presenceContract('memory', async () => memoryPresence());
