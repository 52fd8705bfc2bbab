import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { accessMatrix } from './access-matrix.contract.ts';

onEachDatabase((open, engine) => {
  if (engine === 'postgres') accessMatrix(open, engine);
});
