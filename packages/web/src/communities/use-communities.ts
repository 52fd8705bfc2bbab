import { requiredContext } from '../lib/required-context.ts';
import type { Communities } from './communities.ts';

const { Provider, useValue } = requiredContext<Communities>();

/** Where views find the communities. */
export const CommunitiesProvider = Provider;

/** The reader's communities, and those that they look at. */
export const useCommunities = useValue;
