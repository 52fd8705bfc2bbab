import { requiredContext } from '../lib/required-context.ts';
import type { Connection } from './connection.ts';

const { Provider, useValue } = requiredContext<Connection>();

/** Provides views with the connection. */
export const ConnectionProvider = Provider;

/** The connection to the instance. */
export const useConnection = useValue;
