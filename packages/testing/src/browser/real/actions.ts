/** Actions of one device, in the form that both versions of WebDriver take. */
export interface Action {
  readonly type: 'pointer' | 'key' | 'wheel';
  readonly id: string;
  readonly parameters?: { readonly pointerType: 'mouse' };
  readonly actions: readonly Readonly<Record<string, string | number>>[];
}

/** A place on the page, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Keys that have no character of their own, by the names that the DOM gives them, with their code points in WebDriver. */
const KEYS: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

/** Moves the mouse to a place. */
export function moveTo({ x, y }: Point): Action {
  return mouse([{ type: 'pointerMove', x, y, duration: 0 }]);
}

/** Clicks at a place; with the button on the right if it `opensMenu`. */
export function clickAt({ x, y }: Point, opensMenu = false): Action {
  const button = opensMenu ? 2 : 0;
  return mouse([
    { type: 'pointerMove', x, y, duration: 0 },
    { type: 'pointerDown', button },
    { type: 'pointerUp', button },
  ]);
}

/** Turns the wheel of the mouse at a place, down by that many CSS pixels. */
export function scrolledAt({ x, y }: Point, deltaY: number): Action {
  const turn = { type: 'scroll', x, y, deltaX: 0, deltaY, duration: 0 };
  return { type: 'wheel', id: 'wheel', actions: [turn] };
}

/** Presses keys at once, such as `Control+Enter`. */
export function pressed(combination: string): Action {
  const keys = combination.split('+').map((key) => KEYS[key] ?? key);
  return keyboard([
    ...keys.map((value) => ({ type: 'keyDown', value })),
    ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
  ]);
}

/** Types a text, key by key. */
export function typed(text: string): Action {
  return keyboard(
    Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  );
}

function mouse(actions: Action['actions']): Action {
  return { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
}

function keyboard(actions: Action['actions']): Action {
  return { type: 'key', id: 'keyboard', actions };
}
