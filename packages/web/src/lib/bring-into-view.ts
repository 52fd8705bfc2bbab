/** A part of the page from its upper to its lower edge, in pixels. */
export interface Extent {
  readonly top: number;
  readonly bottom: number;
}

/** In the middle of what scrolls around it, or just inside. */
export type Aim = 'middle' | 'nearest';

/**
 * Scrolls the lists and pages around an element until it is in view, and nothing else. `scrollIntoView` also moves what has
 * no scroll bar, such as the whole page, and counts with the height that parts had before they were drawn.
 */
export function bringIntoView(element: Element, aim: Aim = 'nearest'): void {
  drawAround(element);
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    if (!SCROLLING.has(getComputedStyle(at).overflowY)) continue;
    const top = at.getBoundingClientRect().top + at.clientTop;
    const view = { top, bottom: top + at.clientHeight };
    at.scrollTop += distanceTo(element.getBoundingClientRect(), view, aim);
  }
}

/** Returns how far a view has to go down to show something. What is higher than the view is shown from its beginning. */
export function distanceTo(shown: Extent, view: Extent, aim: Aim): number {
  const above = shown.top - view.top;
  const below = shown.bottom - view.bottom;
  if (aim === 'middle') return Math.min(above, (above + below) / 2);
  if (above >= 0 && below > 0) return Math.min(above, below);
  return above < 0 && below < 0 ? Math.max(above, below) : 0;
}

const SCROLLING = new Set(['auto', 'scroll']);

/** The browser may skip what is out of view, and then does not know how high it is. It stays drawn once it is in view. */
function drawAround(element: Element): void {
  const skipped: HTMLElement[] = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) {
    const isSkipped = getComputedStyle(at).getPropertyValue('content-visibility') === 'auto';
    if (isSkipped && at instanceof HTMLElement) skipped.push(at);
  }
  for (const { style } of skipped) style.setProperty('content-visibility', 'visible');
  if (skipped.length === 0) return;
  afterFrames(2, () => {
    for (const { style } of skipped) style.removeProperty('content-visibility');
  });
}

function afterFrames(count: number, run: () => void): void {
  requestAnimationFrame(() => {
    if (count === 1) run();
    else afterFrames(count - 1, run);
  });
}
