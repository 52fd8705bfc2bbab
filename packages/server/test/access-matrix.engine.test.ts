import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { accessMatrix, EVERYWHERE } from './access-matrix.contract.ts';

// Who may do what does not depend on the engine, whose queries are in question here. The long tier has the rest.
onEachDatabase((open, engine) =>
  accessMatrix(open, engine, engine === 'sqlite' ? EVERYWHERE : ['private']),
);
