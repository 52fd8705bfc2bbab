import type { Access } from './access.ts';
import { useViews } from '../lib/views.ts';

/** Asks for the access code. Few instances need one, so the view is loaded on use. */
export function AccessCodeOnDemand({ access }: { readonly access: Access }) {
  const views = useViews('later');
  return views === undefined ? null : <views.AccessCodeView access={access} />;
}
