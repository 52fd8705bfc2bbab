/**
 * Runs in pages before every other script: it collects what goes wrong, and finds what a person sees. Its functions are
 * called by {@link Reader}.
 */
import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import type { Found, PageSide, Query } from './query.ts';

const KEPT = 'faults that a test collects';
const { localStorage: storage } = globalThis;

/** A browser's notice that it reports the size of something in the next frame. Nothing is thrown, and nothing is lost. */
const POSTPONED = /^ResizeObserver loop /;

/** Across reloads, and until the test takes it. */
function note(fault: string): void {
  storage.setItem(KEPT, JSON.stringify([...kept(), fault]));
}

function kept(): readonly string[] {
  return JSON.parse(storage.getItem(KEPT) ?? '[]');
}

window.addEventListener(
  'error',
  (event) => {
    const { target } = event;
    if (target instanceof Element) note(`not loaded: ${target.outerHTML.slice(0, 200)}`);
    else if (!POSTPONED.test(event.message)) {
      note(`uncaught: ${event.message} ${event.error?.stack ?? ''}`);
    }
  },
  true,
);
window.addEventListener('unhandledrejection', ({ reason }) => {
  note(`unhandled: ${reason} ${reason?.stack ?? ''}`);
});
window.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  note(`policy violated: ${effectiveDirective} by ${blockedURI || 'inline'}`);
});
const { console: printer } = globalThis;
const print = printer.error.bind(printer);
printer.error = (...values: unknown[]) => {
  note(`console: ${values.join(' ')}`);
  print(...values);
};

const flat = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();

function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return element.checkVisibility({ checkVisibilityCSS: true }) && width > 0 && height > 0;
}

function matching({ css = '*', role, name, text, within }: Query): readonly Element[] {
  const roots = within === undefined ? [document] : matching(within);
  const all = new Set(roots.flatMap((root) => Array.from(root.querySelectorAll(css))));
  const found = Array.from(all).filter(
    (element) =>
      (role === undefined || getRole(element) === role) &&
      (text === undefined || flat(element.textContent).includes(text)) &&
      isShown(element) &&
      (name === undefined || flat(computeAccessibleName(element)) === name),
  );
  // The innermost ones have the text.
  return text === undefined
    ? found
    : found.filter(
        (element) => !found.some((other) => other !== element && element.contains(other)),
      );
}

/** Returns true if a click on one is a click on the other. A box may be around its input, or a label over it. */
function isSame(element: Element | undefined, hit: Node): boolean {
  if (element === undefined) return false;
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
  return element.contains(hit) || hit.contains(element) || label?.contains(hit) === true;
}

/** True if the last click reached what it was meant for. After a load, that is not known. */
let hasHit = true;

function describe(element: Element): Found {
  const { left, top, width, height } = element.getBoundingClientRect();
  const point = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  const hit = document.elementFromPoint(point.x, point.y);
  return {
    ...point,
    text: element instanceof HTMLElement ? element.innerText : flat(element.textContent),
    value: 'value' in element ? String(element.value) : '',
    isReached: hit !== null && isSame(element, hit),
    isEnabled: !element.matches(':disabled'),
    isFocused: element === document.activeElement,
    cover: hit === null ? 'nothing' : (hit.cloneNode(false) as Element).outerHTML,
  };
}

const pageSide: PageSide = {
  find(query) {
    return matching(query).map(describe);
  },
  bring(query) {
    const [element] = matching(query);
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  },
  aim(query) {
    const [element] = matching(query);
    hasHit = false;
    const pressed = ({ target }: Event) => {
      hasHit = target instanceof Node && isSame(element, target);
    };
    window.addEventListener('pointerdown', pressed, { capture: true, once: true });
  },
  hasHit: () => hasHit,
  takeFaults() {
    const faults = kept();
    storage.removeItem(KEPT);
    return faults;
  },
};

Object.defineProperty(globalThis, 'pageSide', { value: pageSide });
