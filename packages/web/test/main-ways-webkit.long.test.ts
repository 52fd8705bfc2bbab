import { realBrowserTest } from '@hearth/testing/browser/real/real-browser-test';
import { startWebkit } from '@hearth/testing/browser/real/webkit';
import { goMainWays } from './support/main-ways.ts';

realBrowserTest('WebKit')(
  '[WC215][WC216][WC300] the main ways through the product work in WebKit, without an error on any page',
  () => goMainWays(startWebkit),
);
