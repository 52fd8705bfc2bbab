import { WEB_PLACES } from '@hearth/protocol';
import type { Visit } from '@hearth/testing/browser/visit';
import { expect } from 'bun:test';
import { Someone } from './someone.ts';
import { WebInstance } from './web-instance.ts';

/** What shows that the view of a place is there. */
function viewAt(path: string): string {
  if (/^\/(lobby.*|about|settings)?$/.test(path)) return '.composer';
  if (/^\/(communities|u\/:username|c\/:slug(\/(:channel_id|p\/).*|\/posts)?)$/.test(path))
    return '.bottom-bar';
  return /^\/(m\/|.*:page$)/.test(path) ? '.not-found' : '.account-page';
}

/** Visits an instance, stops it, and opens places, as the patterns of their paths name them. */
export async function openAway(visit: Visit, paths: readonly string[]): Promise<void> {
  await using own = await WebInstance.start();
  visit.expectFaults(/ERR_|Failed to load|WebSocket|network/i);
  const grace = await Someone.enter(visit, own);
  await grace.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  // The page that is cached last came from below the first folder.
  await grace.page.goto(`${own.url}lobby/12`);
  await grace.waitUntilOnline();
  await own.post('kept for later');
  await grace.reads('kept for later');
  await own.stop();
  const title = await grace.page.title();
  for (const path of paths) {
    await grace.page.goto(own.url + path.slice(1).replaceAll(/:\w+/g, '12'));
    const shown = grace.page.locator(viewAt(path));
    await shown.waitFor({ state: 'attached' });
    expect(await grace.page.title()).toContain(title);
    if (path !== WEB_PLACES.lobby) continue;
    await grace.reads('kept for later');
    await grace.page.locator('.kept-notice').waitFor({ state: 'attached' });
  }
}
