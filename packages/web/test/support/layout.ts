import type { Page } from 'playwright-core';

/** Least width and height of a control for fingers (WCAG 2.2, 2.5.8), in CSS pixels. */
const LEAST_TARGET = 24;

/** The layout faults of a page as it is: elements wider than the window, a frame that scrolls, and controls that are too small. */
export async function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate((least) => {
    const faults: string[] = [];
    const name = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`;
    const { scrollWidth, clientWidth } = document.documentElement;
    const frame = document.querySelector('#app > :is(.frame, .shell)');
    const { scrollHeight, clientHeight } = document.documentElement;
    if (frame !== null && scrollHeight > clientHeight)
      faults.push(`the frame is ${scrollHeight} high in ${clientHeight}`);
    if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} wide in ${clientWidth}`);
    for (const element of document.querySelectorAll('*')) {
      const style = getComputedStyle(element);
      const { overflowX } = style;
      const canScroll = overflowX === 'auto' || overflowX === 'scroll';
      // Code and tables may scroll in a frame of their own, and so may a row of facets.
      const isFrame = element.matches(
        'pre, pre *, table, [class*="table"], [class*="code"], .search-facets',
      );
      if (canScroll && !isFrame && element.scrollWidth > element.clientWidth + 1)
        faults.push(`${name(element)} scrolls sideways`);
    }
    for (const element of document.querySelectorAll('[role=log] article *')) {
      const { display, overflowX } = getComputedStyle(element);
      const isBox = display !== 'inline' && display !== 'contents' && element.clientWidth > 1;
      const mayScroll = element.closest('pre, table, [class*="table"], [class*="code"]') !== null;
      const isCutOnPurpose = overflowX === 'hidden' && element.matches('bdi, span');
      if (isBox && !mayScroll && !isCutOnPurpose && element.scrollWidth > element.clientWidth + 1)
        faults.push(`${name(element)} is wider than its room`);
    }
    const targets =
      'button, input, select, textarea, summary, [role=button], [role=switch], a[href]';
    for (const element of document.querySelectorAll(targets)) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const label = element.closest('label');
      const { width, height } = (label ?? element).getBoundingClientRect();
      const isHidden = width <= 1 || height <= 1;
      const isInText = element.matches('p a, li a, td a, h1 a, h2 a, h3 a, blockquote a');
      if (isHidden || isInText) continue;
      if (width < least || height < least)
        faults.push(`${name(element)} is ${Math.round(width)} by ${Math.round(height)}`);
      const { left, right } = element.getBoundingClientRect();
      const isReachable =
        element.closest('pre, .search-facets') !== null || (left >= -1 && right <= clientWidth + 1);
      if (!isReachable) faults.push(`${name(element)} is out of the window`);
    }
    return faults;
  }, LEAST_TARGET);
}
