import { requiredContext } from '../lib/required-context.ts';
import type { Router } from './router.ts';

const { Provider, useValue } = requiredContext<Router>();

/** Provides views with the router. */
export const RouterProvider = Provider;

/** Returns the router: where the reader is, and how to go elsewhere. */
export const useRouter = useValue;
