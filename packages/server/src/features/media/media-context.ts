import type { Context } from '../../context.ts';
import type { Variants } from './variants.ts';

/** What the verbs of media receive: the context, and the variants that are being made. */
export interface MediaContext extends Context {
  readonly variants: Variants;
}
