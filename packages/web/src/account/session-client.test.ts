import { expect, test } from 'bun:test';
import { sessionClient } from './session-client.ts';

const APPLE = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

test.each([
  [`${APPLE} (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, 'Safari', 'macOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`, 'Chrome', 'Linux'],
  [`Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36 Edg/142.0`, 'Edge', 'Windows'],
  [`Mozilla/5.0 (Linux; Android 16; Pixel) ${CHROME} Mobile Safari/537.36`, 'Chrome', 'Android'],
  ['Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'Firefox', 'Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) FxiOS/145.0 Mobile Safari/604.1',
    'Firefox',
    'iPhone',
  ],
  ['curl/8', 'Browser', 'Web'],
])('[WC110] %s is %s on %s', (userAgent, name, platform) => {
  expect(sessionClient(userAgent)).toEqual({ name, platform });
});
