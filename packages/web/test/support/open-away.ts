import { WEB_PLACES } from '@hearth/protocol';
import type { Visit } from '@hearth/testing/browser/visit';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { expect } from 'bun:test';
import { registerElsewhere } from './members.ts';
import { eventually, Someone } from './someone.ts';
import { WebInstance } from './web-instance.ts';

/** Returns the selector of what shows that the view of a place is there. */
function viewAt(path: string): string {
  if (/^\/(lobby.*|about|settings)?$/.test(path)) return '.composer';
  if (/^\/(communities|u\/:username|c\/:slug(\/(:channel_id|p\/).*|\/posts)?)$/.test(path))
    return '.bottom-bar';
  return /^\/(m\/|.*:page$)/.test(path) ? '.not-found' : '.account-page';
}

/** Opens the page of a community: nothing of it is in the page that the browser keeps, which is renewed. */
async function keepPage({ page }: Someone, { url }: WebInstance): Promise<void> {
  const kept = () =>
    page.evaluate(async (address) => (await (await caches.match(address))?.text()) ?? '', url);
  expect(await kept()).toContain('instance-info');
  await page.evaluate(async (address) => {
    for (const name of await caches.keys()) await (await caches.open(name)).delete(address);
  }, url);
  const sent = await page.goto(`${url}c/garden`);
  expect(await sent?.text()).toContain('Lantern Garden');
  await eventually(async () => (await kept()).includes('instance-info'), true);
  expect(await kept()).not.toContain('Lantern Garden');
}

/** Visits an instance, stops it, and opens places, as the patterns of their paths name them. */
export async function openAway(visit: Visit, paths: readonly string[]): Promise<void> {
  await using own = await WebInstance.start({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  const mona = await registerElsewhere(own, 'mona');
  await mona.communities.create({
    name: 'Lantern Garden',
    slug: 'garden',
    kind: 'posts',
    visibility: 'public',
  });
  visit.expectFaults(/ERR_|Failed to load|WebSocket|network/i);
  const grace = await Someone.enter(visit, own);
  await grace.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await keepPage(grace, own);
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
