import { requiredContext } from '../lib/required-context.ts';
import type { Communities } from './communities.ts';

const { Provider, useValue } = requiredContext<Communities>();

/** Provides views with the communities. */
export const CommunitiesProvider = Provider;

/** The reader's communities, and those that they look at. */
export const useCommunities = useValue;
