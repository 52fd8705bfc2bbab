import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { findProgram } from '../../find-program.ts';
import { freePorts } from '../../free-ports.ts';
import { tempFolder } from '../../temp-folder.ts';
import { until } from '../../until.ts';
import { ProcessGroup } from './process-group.ts';
import type { RealBrowser } from './real-browser.ts';
import { startScreen } from './screen.ts';

/** The path of the driver of WebKitGTK, which has a browser of its own. */
export const WEBKIT_DRIVER_PATH = findProgram(['WebKitWebDriver'], ['/usr/bin']);

/** Nothing of the browser's frame is wide, so that a page can be as narrow as a phone's. */
const SMALL_FRAME = '* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0 }';
const NO_ANIMATIONS = '[Settings]\ngtk-enable-animations=0\n';

/** The member of references to elements, as the standard has it. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

const answerSchema = z.object({ value: z.unknown() });
const errorSchema = z.object({ value: z.object({ error: z.string(), message: z.string() }) });
const sessionSchema = z.object({ sessionId: z.string() });
const elementSchema = z.object({ [ELEMENT]: z.string() });

/** Starts WebKit on a screen of its own and opens a page in it, over WebDriver. */
export async function startWebkit(): Promise<RealBrowser> {
  if (WEBKIT_DRIVER_PATH === undefined) throw new Error('there is no WebKitWebDriver');
  await using cleanUp = new AsyncDisposableStack();
  const screen = cleanUp.use(await startScreen());
  const folder = cleanUp.use(await tempFolder());
  const [port = 0] = await freePorts(1);
  const env = await environment(folder.path, screen.display);
  const group = cleanUp.use(new ProcessGroup([WEBKIT_DRIVER_PATH, `--port=${port}`], env));
  const driver = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (group.child.exitCode !== null) throw new Error(`WebKitWebDriver ended: ${group.said}`);
    return fetch(`${driver}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  const asked = await post(`${driver}/session`, {
    capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
  });
  const session = `${driver}/session/${sessionSchema.parse(asked).sessionId}`;
  const owned = cleanUp.move();
  return { ...overWebDriver(session), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The environment of the browser: a folder of its own as home, and no bus. */
async function environment(
  home: string,
  display: string,
): Promise<Readonly<Record<string, string>>> {
  for (const version of ['gtk-3.0', 'gtk-4.0']) {
    const folder = join(home, version);
    await mkdir(folder);
    await writeFile(join(folder, 'gtk.css'), SMALL_FRAME);
    await writeFile(join(folder, 'settings.ini'), NO_ANIMATIONS);
  }
  return {
    PATH: process.env['PATH'] ?? '',
    DISPLAY: display,
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_RUNTIME_DIR: home,
    LC_ALL: 'C.UTF-8',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    GSETTINGS_BACKEND: 'memory',
    NO_AT_BRIDGE: '1',
  };
}

function overWebDriver(session: string): Omit<RealBrowser, keyof AsyncDisposable> {
  return {
    name: 'WebKit',
    async goTo(url) {
      await post(`${session}/url`, { url });
    },
    async call(source, values) {
      const script = `return (async () => JSON.stringify(await (${source})(...JSON.parse(arguments[0]))))()`;
      const result = await post(`${session}/execute/sync`, {
        script,
        args: [JSON.stringify(values)],
      });
      return typeof result === 'string' ? JSON.parse(result) : undefined;
    },
    async perform(actions) {
      await post(`${session}/actions`, { actions });
      const isTurn = actions.some(({ type }) => type === 'wheel');
      // Otherwise WebKit takes the same turn of the wheel, again, for no change.
      if (isTurn) await send(`${session}/actions`, { method: 'DELETE' });
    },
    async chooseFile(selector, path) {
      const found = await post(`${session}/element`, { using: 'css selector', value: selector });
      const { [ELEMENT]: id } = elementSchema.parse(found);
      await post(`${session}/element/${id}/value`, { text: path });
    },
    async resize(size) {
      const inner = async () => {
        const script = 'return [innerWidth, innerHeight]';
        const answer = await post(`${session}/execute/sync`, { script, args: [] });
        const [width = 0, height = 0] = z.array(z.number()).parse(answer);
        return { width, height };
      };
      await post(`${session}/window/rect`, { x: 0, y: 0, ...size });
      // The window has a frame above the page.
      await until(async () => (await inner()).width === size.width);
    },
    async screenshot() {
      const answer = await send(`${session}/screenshot`, { method: 'GET' });
      return Buffer.from(z.string().parse(answer), 'base64');
    },
  };
}

function post(url: string, body: object): Promise<unknown> {
  return send(url, { method: 'POST', body: JSON.stringify(body) });
}

async function send(url: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(url, request);
  const answer: unknown = await response.json();
  if (response.ok) return answerSchema.parse(answer).value;
  const { error, message } = errorSchema.parse(answer).value;
  throw new Error(`${error}: ${message}`);
}
