import { limiterContract } from './limiter.contract.ts';
import { memoryLimiter } from './memory.ts';

limiterContract('memory', memoryLimiter);
