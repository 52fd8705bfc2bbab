import { createElement, render } from 'preact';
import { afterEach, expect, jest, test } from 'bun:test';
import { useTimeLeft } from './use-time-left.ts';

afterEach(() => {
  jest.useRealTimers();
});

test('a new wait is shown in full from the first frame on', () => {
  jest.useFakeTimers({ now: 100_000 });
  const shown: number[] = [];
  function TimeLeft({ untilMs }: { readonly untilMs: number | undefined }) {
    shown.push(useTimeLeft(untilMs));
    return null;
  }
  // Guarantee: nothing is drawn, so preact uses no more of the element.
  const root = { childNodes: [], firstChild: null } as unknown as Element;
  const show = (untilMs: number | undefined) => render(createElement(TimeLeft, { untilMs }), root);
  show(undefined);
  jest.advanceTimersByTime(60_000);
  show(165_000);
  expect(shown).toEqual([0, 5_000]);
});
