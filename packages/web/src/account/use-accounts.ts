import { requiredContext } from '../lib/required-context.ts';
import type { Accounts } from './accounts.ts';

const { Provider, useValue } = requiredContext<Accounts>();

/** Provides views with the accounts. */
export const AccountsProvider = Provider;

/** The accounts of this browser. */
export const useAccounts = useValue;
