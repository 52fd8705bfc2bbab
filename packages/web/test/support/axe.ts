import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/**
 * The checks of axe: everything in WCAG 2.2 AA, and in good practice, that a machine can check, or only the colours.
 */
type AxeScope = 'all' | 'colours';

/** Browsers compile the minified code in half the time. */
const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Everything that axe finds in the page as it is, and the faults of its colours in the other theme, in which the page stays:
 * drawing all of it again takes as long as axe does.
 */
export async function violationsInBothThemes(page: Page): Promise<readonly string[]> {
  const html = page.locator('html');
  const other = (await html.getAttribute('data-theme')) === 'dark' ? 'light' : 'dark';
  const all = await violationsOf(page, 'all');
  await page.emulateMedia({ colorScheme: other });
  await page.locator(`html[data-theme=${other}]`).waitFor();
  const colours = await violationsOf(page, 'colours');
  return [...all, ...colours.map((line) => `${other}: ${line}`)];
}

/** The faults that axe finds in the page as it is now: a line for each element. */
export async function violationsOf(
  page: Page,
  scope: AxeScope = 'all',
): Promise<readonly string[]> {
  // The contrast of colours in transition does not count.
  await page.evaluate(async () => {
    const isFinite = (animation: Animation) =>
      animation.effect?.getComputedTiming().endTime !== Infinity;
    const animations = document.getAnimations().filter(isFinite);
    await Promise.allSettled(animations.map(({ finished }) => finished));
  });
  // The page's own policy forbids script elements; the browser's debugger evaluates this.
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.evaluate(readFileSync(AXE, 'utf8'));
  const runOnly =
    scope === 'all'
      ? { type: 'tag', values: TAGS }
      : { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
  return page.evaluate(async (only) => {
    const axe: unknown = Reflect.get(globalThis, 'axe');
    if (typeof axe !== 'object' || axe === null) throw new Error('axe is not there');
    const run: unknown = Reflect.get(axe, 'run');
    if (typeof run !== 'function') throw new Error('axe does not run');
    const { violations } = await run.call(axe, document, {
      runOnly: only,
      resultTypes: ['violations'],
    });
    const lines: string[] = [];
    for (const { id, nodes } of violations)
      for (const { target, failureSummary } of nodes)
        lines.push(`${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`);
    return lines;
  }, runOnly);
}
