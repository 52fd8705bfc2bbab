import { requiredContext } from '../lib/required-context.ts';
import type { Instance } from './instance.ts';

const { Provider, useValue } = requiredContext<Instance>();

/** Provides views with the instance. */
export const InstanceProvider = Provider;

/** The instance that the page belongs to. */
export const useInstance = useValue;
