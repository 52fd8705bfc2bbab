import type { Page } from 'playwright-core';
import { violationsInBothThemes } from './axe.ts';
import { layoutFaults } from './layout.ts';

const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

/** The faults of views, by their names. */
export type Faults = Record<string, readonly string[]>;

/** Looks at a view as it is: what axe finds in both themes, and the faults of its layout on a narrow page. */
export async function lookAt(page: Page, view: string, found: Faults): Promise<void> {
  const violations = await violationsInBothThemes(page);
  await page.setViewportSize(NARROW);
  await untilStill(page);
  const narrow = await layoutFaults(page);
  await page.setViewportSize(WIDE);
  const faults = [...violations, ...narrow.map((fault) => `320 pixels: ${fault}`)];
  if (faults.length > 0) found[view] = faults;
}

/** Resolves when what moves in from the side has arrived. */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let moving; moving === undefined || moving.length > 0;) {
      // The page learns of another size in the next frame, and what it shows then begins to move in the one after.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      moving = document.getAnimations().filter(({ effect, playState }) => {
        return playState === 'running' && effect?.getComputedTiming().endTime !== Infinity;
      });
      // What is removed meanwhile never arrives.
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
}
