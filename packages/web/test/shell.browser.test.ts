import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { de } from '../src/text/de.ts';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { KeptLobby } from './support/kept-lobby.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { atWebPort } from '@hearth/testing/instances/at-web-port';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import { MOVING } from '@hearth/testing/browser/visit';
import { WebInstance } from './support/web-instance.ts';

const MOST_SCRIPT_BYTES = 150_000;
/** The entry, what it shares with parts that are loaded on use, the rest, and what runs before them. */
const MOST_SCRIPTS = 6;

const browser = useBrowser();
const lobby = new KeptLobby(browser);
let instance: WebInstance;

beforeAll(async () => {
  instance = await WebInstance.start();
});

afterAll(() => instance[Symbol.asyncDispose]());

const darknessOf = (someone: Someone) =>
  someone.page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d');
    if (canvas === null) return '';
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return red + green + blue < 384 ? 'dark' : 'light';
  });

describe('settings', () => {
  browserTest('follow the system by default: colours and language', async () => {
    const dark = await browser.visit({ colorScheme: 'dark', locale: 'de-AT' });
    const hilde = await Someone.arrive(dark, instance);
    expect(await darknessOf(hilde)).toBe('dark');
    await hilde.page.getByRole('textbox', { name: de.shell.welcome.nameLabel }).waitFor();
    expect(await hilde.page.locator('html').getAttribute('lang')).toBe('de');
    const light = await browser.visit({ colorScheme: 'light', locale: 'fr-FR' });
    const grace = await Someone.arrive(light, instance);
    expect(await darknessOf(grace)).toBe('light');
    await grace.page.getByRole('textbox', { name: en.shell.welcome.nameLabel }).waitFor();
  });

  browserTest('apply at once and are kept: German, and dark', async () => {
    const grace = await Someone.enter(await browser.emptyVisit(), instance);
    const settings = await grace.openSettings();
    await settings.getByRole('radio', { name: en.shell.settings.themes.dark, exact: true }).check();
    await eventually(() => darknessOf(grace), 'dark');
    await settings
      .getByRole('radio', { name: en.shell.settings.languages.de, exact: true })
      .check();
    await grace.page.getByRole('dialog', { name: de.shell.settings.title }).waitFor();
    await grace.page.keyboard.press('Escape');
    await grace.page.waitForURL(instance.url);
    await grace.page.reload();
    await grace.page.getByRole('textbox', { name: de.composer.label }).waitFor();
    expect(await grace.page.locator('html').getAttribute('lang')).toBe('de');
    expect(await darknessOf(grace)).toBe('dark');
    const settingsAgain = inAnyWords(de.shell.header.you);
    await grace.button(settingsAgain).click();
    await grace.page.getByRole('radio', { name: de.shell.settings.themes.light }).check();
    await eventually(() => darknessOf(grace), 'light');
  });

  browserTest(
    '[WC66] change the name for later messages, and bring messages closer together',
    async () => {
      const grace = await Someone.enter(await browser.emptyVisit(), instance, 'Grace');
      const settings = await grace.openSettings();
      await settings.getByRole('textbox').fill('Admiral');
      await settings.getByRole('textbox').press('Enter');
      await grace.page.keyboard.press('Escape');
      await grace.say('under another name');
      await grace.reads('under another name');
      await eventually(async () => (await grace.log.getByText('Admiral').count()) > 0, true);
      await grace.say('how close?');
      await grace.reads('how close?');
      const row = grace.log.locator('.row').filter({ hasText: 'how close?' }).last();
      const height = async () => (await row.boundingBox())?.height ?? 0;
      const cosy = await height();
      await grace.openSettings();
      await settings.getByRole('radio', { name: en.shell.settings.densities.compact }).check();
      await eventually(async () => (await height()) < cosy, true);
    },
  );

  browserTest('switch motion off', async () => {
    const grace = await Someone.enter(await browser.visit(MOVING), instance);
    const settings = await grace.openSettings();
    await settings.getByRole('radio', { name: en.shell.settings.motions.off, exact: true }).check();
    await grace.page.keyboard.press('Escape');
    await grace.say('nothing moves');
    await grace.reads('nothing moves');
    const running = await grace.page.evaluate(
      () =>
        document
          .getAnimations()
          .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 10).length,
    );
    expect(running).toBe(0);
  });
});

browserTest('the page shows the name and the description of the instance', async () => {
  const grace = await lobby.enter(instance);
  await grace.button(en.shell.header.aboutInstance('Lantern Street')).click();
  const panel = grace.page.getByRole('dialog');
  await panel.waitFor();
  for (const text of ['Lantern Street', 'Neighbours, and what they grow.', '2,048', '100 MB'])
    expect(await panel.getByText(text).count()).toBeGreaterThan(0);
  for (const address of Object.values(atWebPort(instance.url)))
    expect(await panel.getByText(address).count()).toBeGreaterThan(0);
  for (const { name } of Object.values(en.shell.instance.rates)) {
    await panel.getByText(name, { exact: true }).waitFor();
  }
  await grace.page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });
});

describe('the page', () => {
  browserTest('contacts only its instance, and does not request the InstanceInfo', async () => {
    const visit = await browser.emptyVisit();
    const grace = await Someone.enter(visit, instance);
    await grace.say(
      '```ts\nconst a = 1;\n```\n![x](https://example.com/x.png) https://example.com',
    );
    await grace.log.locator('pre').waitFor();
    await grace.button(inAnyWords(en.shell.header.aboutInstance)).click();
    await grace.page.getByRole('dialog').waitFor();
    const own = [instance.url, ...Object.values(instance.addresses)].map(
      (url) => new URL(url).host,
    );
    const hosts = visit.requested
      .filter((url) => !/^(data|blob):/.test(url))
      .map((url) => new URL(url).host);
    expect(hosts.length).toBeGreaterThan(3);
    expect(hosts.filter((host) => !own.includes(host))).toEqual([]);
    // It contains the InstanceInfo.
    expect(visit.requested.filter((url) => url === `${instance.addresses.rest}/`)).toEqual([]);
  });

  browserTest(
    '[WC398] loads less than 150 kB of compressed script before highlighting',
    async () => {
      await using quiet = await WebInstance.start();
      const visit = await browser.emptyVisit();
      const grace = await Someone.enter(visit, quiet);
      await grace.say('nothing to highlight');
      await grace.reads('nothing to highlight');
      const scripts = [...new Set(visit.requested)].filter((url) => url.endsWith('.js'));
      expect(scripts.length).toBeGreaterThan(0);
      expect(scripts.length).toBeLessThanOrEqual(MOST_SCRIPTS);
      let bytes = 0;
      for (const url of scripts) {
        const answer = await fetch(url, {
          headers: { 'Accept-Encoding': 'gzip' },
          decompress: false,
        });
        expect(answer.headers.get('content-encoding')).toBe('gzip');
        bytes += (await answer.arrayBuffer()).byteLength;
      }
      expect(bytes).toBeLessThan(MOST_SCRIPT_BYTES);
      await grace.say('```ts\nconst answer: number = 42;\n```');
      await grace.log.locator('pre span').first().waitFor();
      const later = [...new Set(visit.requested)].filter((url) => url.endsWith('.js'));
      expect(later.length).toBeGreaterThan(scripts.length);
    },
  );

  browserTest('has a strict policy', async () => {
    const { headers } = await fetch(instance.url);
    const [first = '', ofScripts = ''] = (headers.get('content-security-policy') ?? '').split(', ');
    const policy = new Map(
      first.split('; ').map((directive) => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
    );
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toBe("'self'");
    expect(policy.get('require-trusted-types-for')).toBe("'script'");
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:\/\/(?!127\.0\.0\.1)/);
    for (const directive of ofScripts.split('; ')) {
      const [name = '', ...sources] = directive.split(' ');
      expect(['script-src', 'worker-src']).toContain(name);
      for (const source of sources) {
        expect(source).toMatch(/^http:\/\/\*:\*\/(assets\/[\w-]+|sw|proof)\.js$/);
        expect((await fetch(instance.url + source.slice('http://*:*'.length))).status).toBe(200);
      }
    }
  });
});

describe('somebody who is looking at another tab', () => {
  const complete = useBrowser('complete');

  /** Makes a page believe that it is in the background, or not any more. */
  const setHidden = (someone: Someone, isHidden: boolean) =>
    someone.page.evaluate((hidden) => {
      Object.defineProperties(document, {
        hidden: { configurable: true, get: () => hidden },
        visibilityState: { configurable: true, get: () => (hidden ? 'hidden' : 'visible') },
        hasFocus: { configurable: true, value: () => !hidden },
      });
      document.dispatchEvent(new Event('visibilitychange'));
      dispatchEvent(new Event(hidden ? 'blur' : 'focus'));
    }, isHidden);

  browserTest('sees the number of unread messages in the title, until they come back', async () => {
    const grace = await lobby.enter(instance);
    const title = await grace.page.title();
    await setHidden(grace, true);
    await instance.post('unread one');
    await instance.post('unread two');
    await eventually(() => grace.page.title(), `(2) ${title}`);
    await setHidden(grace, false);
    await eventually(() => grace.page.title(), title);
  });

  browserTest(
    '[WC64][WC65] is notified if they switched this on, but not of their own messages',
    async () => {
      const visit = await complete.visit({
        permissions: ['notifications'],
        serviceWorkers: 'allow',
      });
      const grace = await Someone.enter(visit, instance);
      const shown = () =>
        grace.page.evaluate(async () => {
          const registration = await navigator.serviceWorker.ready;
          const notifications = await registration.getNotifications();
          return notifications.map(({ title, body }) => `${title}: ${body}`);
        });
      await setHidden(grace, true);
      await instance.post('not asked yet');
      await grace.reads('not asked yet');
      expect(await shown()).toEqual([]);
      await setHidden(grace, false);
      const settings = await grace.openSettings();
      const choice = settings.getByLabel(en.shell.settings.notifications);
      await choice.click();
      await eventually(() => choice.isChecked(), true);
      await grace.page.keyboard.press('Escape');
      await setHidden(grace, true);
      await instance.post('somebody there?', 'Ada');
      await eventually(async () => (await shown()).length, 1);
      expect((await shown())[0]).toMatch(/Ada.*somebody there\?/);
      await grace.say('my own');
      await grace.log.locator('[data-delivery]').waitFor({ state: 'detached' });
      // Notifications from before this one appear with it.
      await grace.page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.showNotification('after it', { tag: 'after it' });
      });
      expect((await shown()).filter((text) => text.includes('my own'))).toEqual([]);
      const icon = grace.page.locator('link[rel=icon]');
      await instance.post('are **you** ||really|| there?', 'Alan');
      const many = en.shell.notification.newMessages('2');
      const title = `${many} · Lantern Street: Alan: are you ▇▇▇ there?`;
      await eventually(async () => (await shown()).includes(title), true);
      await eventually(async () => (await icon.getAttribute('href'))?.startsWith('data:'), true);
      await setHidden(grace, false);
      await eventually(async () => (await shown()).map((text) => text.split(':')[0]), ['after it']);
      await eventually(async () => (await icon.getAttribute('href'))?.endsWith('icon.svg'), true);
    },
  );
});

describe('installed', () => {
  browserTest('the page has what a browser requires of an app', async () => {
    const visit = await browser.visit({ serviceWorkers: 'allow' });
    const grace = await Someone.enter(visit, instance);
    const session = await visit.context.newCDPSession(grace.page);
    const { url, errors, data } = await session.send('Page.getAppManifest');
    expect(url).toContain('manifest');
    expect(errors).toEqual([]);
    const manifest = JSON.parse(data ?? '{}');
    expect(manifest).toMatchObject({ name: 'Lantern Street', display: 'standalone' });
    const sizes: string[] = [];
    for (const { src, sizes: size, type } of manifest.icons) {
      const answer = await fetch(new URL(src, url));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      await answer.bytes();
      sizes.push(size);
    }
    expect(sizes).toContain('192x192');
    expect(sizes).toContain('512x512');
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // The answer in a private window, such as that of a test.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });

  browserTest(
    'the page opens without the instance, and continues when the instance is back',
    async () => {
      await using own = await WebInstance.start();
      const visit = await browser.visit({ serviceWorkers: 'allow' });
      visit.expectFaults(/ERR_|Failed to load|WebSocket|network/i);
      const grace = await Someone.enter(visit, own);
      await grace.say('before');
      await grace.reads('before');
      await grace.page.evaluate(async () => {
        await navigator.serviceWorker.ready;
      });
      await grace.page.reload();
      await grace.waitUntilOnline();
      await own.stop();
      await grace.page.reload();
      await grace.page.getByRole('textbox', { name: en.composer.label }).waitFor();
      await grace.write('written without the instance');
      await own.startAgain();
      await grace.comeBack();
      await grace.messageBox.press('Enter');
      await grace.reads('written without the instance');
      await grace.reads('before');
    },
  );
});
