import type { Page } from 'playwright-core';

/** Counts the preflights that the page's browser makes during `run`. */
export async function countPreflights(page: Page, run: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  let count = 0;
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.method === 'OPTIONS') count += 1;
  });
  await session.send('Network.enable');
  await run();
  // Its answer comes after the events of everything before it.
  await session.detach();
  return count;
}
