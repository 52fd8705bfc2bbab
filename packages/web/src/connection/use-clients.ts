import type { Client, TokenStorage } from '@hearth/sdk';
import { requiredContext } from '../lib/required-context.ts';

/** The clients of the instance. */
export interface Clients {
  /** The one that acts for the reader. */
  readonly client: Client;
  /** Makes another one, such as to sign in to an account that the next page acts for. */
  readonly another: (tokens: TokenStorage) => Client;
}

const { Provider, useValue } = requiredContext<Clients>();

/** Provides views with the clients. */
export const ClientsProvider = Provider;

/** The clients of the instance. */
export const useClients = useValue;
