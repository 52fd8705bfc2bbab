import { startTestInstance } from '@hearth/testing/instances/test-instance';
import { outsidersContract } from './outsiders.contract.ts';

outsidersContract('SQLite', startTestInstance);
