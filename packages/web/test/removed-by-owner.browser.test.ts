import type { LobbyMessage } from '@hearth/protocol';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { removeAsOwner } from '@hearth/testing/instances/remove-as-owner';
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
