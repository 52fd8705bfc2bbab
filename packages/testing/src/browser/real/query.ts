import { z } from 'zod';

/** A description of what a person looks for on a page: everything that is given has to match. */
export interface Query {
  readonly role?: string;
  /** The accessible name, whole. */
  readonly name?: string;
  /** A part of the text. Of several elements around it, the innermost is meant. */
  readonly text?: string;
  readonly css?: string;
  readonly within?: Query;
}

/** An element that was found, as it is at the moment. */
export const foundSchema = z.object({
  /** The middle of it, in CSS pixels from the corner of what is seen. */
  x: z.number(),
  y: z.number(),
  text: z.string(),
  value: z.string(),
  /** True if a click there would reach it. */
  isReached: z.boolean(),
  isEnabled: z.boolean(),
  isFocused: z.boolean(),
  /** The element that is there instead. */
  cover: z.string(),
});

export type Found = z.infer<typeof foundSchema>;

/** The functions that a page has for tests. */
export interface PageSide {
  find(query: Query): readonly Found[];
  /** Scrolls until the first match is in sight. */
  bring(query: Query): void;
  /** Expects a click on the first match. */
  aim(query: Query): void;
  /** Returns true if the click that was expected reached it. */
  hasHit(): boolean;
  takeFaults(): readonly string[];
}
