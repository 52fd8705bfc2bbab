import type { ReadonlySignal } from '@preact/signals';
import { requiredContext } from '../lib/required-context.ts';

/** The way by which views lead to other places of the page. */
export interface Navigation {
  /** Goes to a path, as `webPath` returns it. */
  go(path: string): void;
  /** Goes to an address, in place of the current entry of the browser's history if asked. */
  goTo(url: string, options?: { readonly isReplacing?: boolean }): void;
  /** The whole address of a path. */
  urlOf(path: string): string;
  /** Another object each time that the reader comes to a place, but not if they close what lay over it. */
  readonly arrival: ReadonlySignal<object>;
}

const { Provider, useValue } = requiredContext<Navigation>();

/** Provides views with the way to other places. */
export const NavigationProvider = Provider;

/** Returns the way to other places. */
export const useNavigation = useValue;
