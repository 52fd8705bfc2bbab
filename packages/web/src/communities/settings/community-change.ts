import type { CommunityChange } from '../wire.ts';
import { typedText } from '../../lib/typed-text.ts';

/** The fields that a form has of a community. */
export interface CommunityForm {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly kind: string;
  readonly visibility: string;
  readonly join: string;
}

/** A private community cannot be open to everyone. */
export function withFittingJoin(form: CommunityForm): CommunityForm {
  const isImpossible = form.visibility === 'private' && form.join === 'open';
  return isImpossible ? { ...form, join: 'invite' } : form;
}

/** Returns what has changed, so that what others have changed meanwhile stays. */
export function changeOf(before: CommunityForm, after: CommunityForm): CommunityChange {
  const names = ['name', 'slug', 'description', 'kind', 'visibility', 'join'] as const;
  const changed = names.filter((name) => after[name] !== before[name]);
  // Whether somebody may join depends on both.
  if (changed.includes('visibility') && !changed.includes('join')) changed.push('join');
  // Guarantee: the choices of the form are those of the wire.
  return Object.fromEntries(
    changed.map((name) => {
      const value = typedText(after[name]);
      if (name === 'slug') return [name, value.toLowerCase()];
      return [name, name === 'description' && value === '' ? null : value];
    }),
  ) as CommunityChange;
}
