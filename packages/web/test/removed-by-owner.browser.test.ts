import type { LobbyMessage } from '@hearth/protocol';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { readContents } from '@hearth/testing/clients/history-client';
import { postMessage } from '@hearth/testing/clients/post-message';
import { removeAsOwner, removeByAuthor } from '@hearth/testing/instances/remove-as-owner';
import { startTestInstance, webAddressOf } from '@hearth/testing/instances/test-instance';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { until } from '@hearth/testing/until';
import { expect } from 'bun:test';
import { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();

browserTest('[LB24] a message that the owner removes leaves the page that shows it', async () => {
  await using instance = await WebInstance.start();
  const grace = await Someone.enter(await browser.emptyVisit(), instance, 'Grace');
  for (const content of ['good evening', 'buy now']) await instance.post(content, 'Ada');
  await grace.message('buy now').waitFor();
  const answer = await fetch(`${instance.addresses.rest}/messages`);
  const [newest]: readonly LobbyMessage[] = await answer.json();
  expect(newest?.content).toBe('buy now');
  await removeAsOwner(instance, newest?.id);
  await grace.message('buy now').waitFor({ state: 'detached' });
  await grace.sees(/good evening|buy now/, ['good evening']);
});

browserTest(
  '[LB24][OP49] the messages of an author leave the page of an instance on servers',
  async () => {
    if (areServersMissing) return;
    await using servers = await sharedServers();
    const env = await servers.newInstance();
    await using instance = await startTestInstance({ env, web: true });
    const place = { url: webAddressOf(instance) };
    const grace = await Someone.enter(await browser.emptyVisit(), place, 'Grace');
    await postMessage(instance, 'good evening', 'Ada');
    for (const content of ['buy now', 'buy more']) await postMessage(instance, content, 'Spammer');
    await grace.message('buy more').waitFor();
    await until(async () => {
      await removeByAuthor(env, 'Spammer');
      return (await readContents(instance)).length === 1;
    });
    await grace.message('buy more').waitFor({ state: 'detached' });
    await grace.sees(/good evening|buy/, ['good evening']);
  },
);
