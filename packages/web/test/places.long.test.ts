import { WEB_PLACES } from '@hearth/protocol';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { openAway } from './support/open-away.ts';

const browser = useBrowser();

browserTest('[WC23][WC67] every place opens without the instance', async () => {
  const visit = await browser.visit({ serviceWorkers: 'allow' });
  await openAway(visit, Object.values(WEB_PLACES));
});
