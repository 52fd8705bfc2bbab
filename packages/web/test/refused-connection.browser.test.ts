import { setDefaultTimeout } from 'bun:test';
import { AccountClient } from '@hearth/testing/clients/account-client';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

setDefaultTimeout(120_000);

const browser = useBrowser();

browserTest(
  'a connection that is refused because of its limit shows this and comes back',
  async () => {
    const toml = GENEROUS_LIMITS.replace(
      /^gateway_connect = .*$/m,
      // Long enough for a page that loads slowly.
      'gateway_connect = { reset_after = 12, limit = 1 }',
    );
    await using instance = await WebInstance.start({ toml });
    const visit = await browser.emptyVisit();
    using _first = await AccountClient.enter(instance);
    const grace = await Someone.arrive(visit, instance);
    await grace.textBoxes.fill('Grace');
    await grace.textBoxes.press('Enter');
    await grace.page.getByText(en.shell.banner.rateLimited).waitFor();
    await grace.waitUntilOnline();
    await instance.post('back again');
    await grace.reads('back again');
  },
);
