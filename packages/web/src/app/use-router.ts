import { requiredContext } from '../lib/required-context.ts';
import type { Router } from './router.ts';

const { Provider, useValue } = requiredContext<Router>();

/** Where views find the router. */
export const RouterProvider = Provider;

/** Where the reader is, and how to go elsewhere. */
export const useRouter = useValue;
