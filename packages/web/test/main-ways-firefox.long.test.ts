import { startFirefox } from '@hearth/testing/browser/real/firefox';
import { realBrowserTest } from '@hearth/testing/browser/real/real-browser-test';
import { goMainWays } from './support/main-ways.ts';

realBrowserTest('Firefox')(
  '[WC215][WC216][WC300] the main ways through the product work in Firefox, without an error on any page',
  () => goMainWays(startFirefox),
);
