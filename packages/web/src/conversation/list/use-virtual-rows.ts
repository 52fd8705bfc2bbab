import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** A virtualiser of elements inside a scrolling element. */
export type RowVirtualizer = Virtualizer<HTMLElement, HTMLElement>;

type Options = Omit<
  VirtualizerOptions<HTMLElement, HTMLElement>,
  'observeElementRect' | 'observeElementOffset' | 'scrollToFn'
>;

/**
 * The virtualiser's core for Preact. Preact draws in a microtask: changes from an observer are drawn before the browser
 * paints, so nothing needs to be flushed.
 */
export function useVirtualRows(options: Options): RowVirtualizer {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  const whole: VirtualizerOptions<HTMLElement, HTMLElement> = {
    ...options,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: (instance, isSync) => {
      redraw(undefined);
      options.onChange?.(instance, isSync);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(whole));
  virtualizer.setOptions(whole);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
