import { setDefaultTimeout } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

setDefaultTimeout(60_000);

const browser = useBrowser();

browserTest(
  'a connection that is refused because of its limit shows this and comes back',
  async () => {
    const toml = GENEROUS_LIMITS.replace(
      /^rate_limit = .*$/m,
      // Long enough for a page that loads slowly.
      'rate_limit = { reset_after = 12, limit = 1 }',
    );
    await using instance = await WebInstance.start({ toml });
    const visit = await browser.emptyVisit();
    const first = await GatewayClient.connect(instance.addresses.gateway);
    const grace = await Someone.arrive(visit, instance);
    await grace.textBoxes.fill('Grace');
    await grace.textBoxes.press('Enter');
    await grace.page.getByText(en.shell.banner.rateLimited).waitFor();
    first.close();
    await grace.waitUntilOnline();
    await instance.post('back again');
    await grace.reads('back again');
  },
);
