import type { PlaceholdersContext } from '../../platform/contents/contents.ts';
import type { Variants } from './variants.ts';

/** What the verbs of media receive: the context, and the placeholders and variants that are being made. */
export interface MediaContext extends PlaceholdersContext {
  readonly variants: Variants;
}
