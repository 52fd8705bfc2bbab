import { loadPart, type Loading } from '../lib/load-part.ts';

/** The views that are loaded on use, each with the way to load it. */
export const VIEWS = {
  account: (loading?: Loading) =>
    loadPart('app/views/account.ts', () => import('./views/account.ts'), loading),
  communities: (loading?: Loading) =>
    loadPart('app/views/communities.ts', () => import('./views/communities.ts'), loading),
  frame: (loading?: Loading) =>
    loadPart('app/views/frame.ts', () => import('./views/frame.ts'), loading),
  later: (loading?: Loading) =>
    loadPart('app/views/later.ts', () => import('./views/later.ts'), loading),
  posts: (loading?: Loading) =>
    loadPart('app/views/posts.ts', () => import('./views/posts.ts'), loading),
  search: (loading?: Loading) =>
    loadPart('app/views/search.ts', () => import('./views/search.ts'), loading),
};

type Loaded = { readonly [Name in keyof typeof VIEWS]: Awaited<ReturnType<(typeof VIEWS)[Name]>> };

declare module '../lib/views.ts' {
  interface Views extends Loaded {}
}
