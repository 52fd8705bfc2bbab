import type { Page } from 'playwright-core';

/**
 * Goes to a path of the page as it is, which keeps what a test has changed in it. The place is shown by itself, as after a
 * load, but in a third of the time.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((relative) => {
    history.pushState({ entriesBefore: 0 }, '', new URL(relative, document.baseURI));
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}
