import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findProgram } from '../../find-program.ts';
import { tempFolder } from '../../temp-folder.ts';
import { Bidi } from './bidi.ts';
import { ProcessGroup } from './process-group.ts';
import type { RealBrowser } from './real-browser.ts';

/** The path of Firefox: the one in FIREFOX, or else the first of the usual names on the PATH. */
export const FIREFOX_PATH = findProgram(
  process.env['FIREFOX'] ? [process.env['FIREFOX']] : ['firefox-esr', 'firefox'],
  ['/usr/bin'],
);

/** Settings with which nothing moves, nothing asks, and nothing is fetched from elsewhere. */
const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.search.update': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage': 'about:blank',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.push.connection.enabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'intl.accept_languages': 'en-GB',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'signon.rememberSignons': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'ui.prefersReducedMotion': 1,
};

const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/;

const tree = z.object({ contexts: z.array(z.object({ context: z.string() })).min(1) });
const called = z.object({
  type: z.string(),
  result: z.object({ value: z.string().optional() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});
const located = z.object({ nodes: z.array(z.object({ sharedId: z.string() })) });
const captured = z.object({ data: z.string() });

/** Starts Firefox without a window and opens a page in it, over WebDriver BiDi, which it speaks itself. */
export async function startFirefox(): Promise<RealBrowser> {
  if (FIREFOX_PATH === undefined)
    throw new Error('there is no Firefox: install it, or name it in FIREFOX');
  await using cleanUp = new AsyncDisposableStack();
  const folder = cleanUp.use(await tempFolder());
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(folder.path, 'user.js'), lines.join('\n'));
  const command = [FIREFOX_PATH, '--headless', '--no-remote', '--remote-debugging-port', '0'];
  const env = { ...process.env, HOME: folder.path, MOZ_CRASHREPORTER_DISABLE: '1' };
  const group = cleanUp.use(new ProcessGroup([...command, '--profile', folder.path], env));
  const address = await group.find((said) => LISTENING.exec(said)?.[1]);
  const bidi = cleanUp.use(await Bidi.connect(`${address}/session`));
  await bidi.send('session.new', {
    capabilities: {
      alwaysMatch: { acceptInsecureCerts: true, unhandledPromptBehavior: { default: 'dismiss' } },
    },
  });
  const [{ context } = { context: '' }] = tree.parse(
    await bidi.send('browsingContext.getTree', {}),
  ).contexts;
  const owned = cleanUp.move();
  return { ...overBidi(bidi, context), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function overBidi(bidi: Bidi, context: string): Omit<RealBrowser, keyof AsyncDisposable> {
  return {
    name: 'Firefox',
    async goTo(url) {
      await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async call(source, values) {
      const answer = called.parse(
        await bidi.send('script.callFunction', {
          functionDeclaration: `async (values) => JSON.stringify(await (${source})(...JSON.parse(values)))`,
          arguments: [{ type: 'string', value: JSON.stringify(values) }],
          awaitPromise: true,
          target: { context },
        }),
      );
      if (answer.exceptionDetails !== undefined) throw new Error(answer.exceptionDetails.text);
      return answer.result?.value === undefined ? undefined : JSON.parse(answer.result.value);
    },
    async perform(actions) {
      await bidi.send('input.performActions', { context, actions });
    },
    async chooseFile(selector, path) {
      const locator = { type: 'css', value: selector };
      const { nodes } = located.parse(
        await bidi.send('browsingContext.locateNodes', { context, locator, maxNodeCount: 1 }),
      );
      await bidi.send('input.setFiles', { context, element: nodes[0], files: [path] });
    },
    async resize(viewport) {
      await bidi.send('browsingContext.setViewport', { context, viewport });
    },
    async screenshot() {
      const answer = await bidi.send('browsingContext.captureScreenshot', { context });
      return Buffer.from(captured.parse(answer).data, 'base64');
    },
  };
}
