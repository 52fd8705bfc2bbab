import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'bun:test';
import { observedWebFolder } from '@hearth/testing/browser/real/observed-web-folder';
import { Reader } from '@hearth/testing/browser/real/reader';
import type { RealBrowser } from '@hearth/testing/browser/real/real-browser';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { tempFolder } from '@hearth/testing/temp-folder';
import { until } from '@hearth/testing/until';
import { en } from '../../src/text/en.ts';
import { enAccount } from '../../src/text/en/account.ts';
import { enCommunities } from '../../src/text/en/communities.ts';
import { enCommunitySettings } from '../../src/text/en/community-settings.ts';
import { enPosts } from '../../src/text/en/posts.ts';
import { enPostWriting } from '../../src/text/en/post-writing.ts';
import { PASSWORD } from './members.ts';
import { LossyFront } from './lossy-front.ts';
import { makePicture } from './picture.ts';
import { WebInstance } from './web-instance.ts';

const HISTORY = 120;
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 780 };

/** Words of scripts that are loaded after the first load. */
const PART = 'emoji-search';
const COLUMNS = 'places-own';

const log = { role: 'log' } as const;
const dialog = { css: 'dialog[open], [role=dialog]' } as const;
const button = (name: string, within?: object) => ({
  role: 'button',
  name,
  ...(within && { within }),
});
const link = (name: string) => ({ role: 'link', name });
const box = (name: string) => ({ role: 'textbox', name });

/** The things that a way needs. */
interface Journey {
  readonly reader: Reader;
  readonly instance: WebInstance;
  /** The path of a picture. */
  readonly picture: string;
}

type Way = (journey: Journey) => Promise<void>;

/** The main ways through the product, in the order in which somebody who is new here goes them. */
const WAYS: Readonly<Record<string, Way>> = {
  async visit({ reader, instance }) {
    await reader.visit(instance.url);
    await reader.sees({ role: 'heading', name: 'Lantern Street' });
  },

  // The page reaches the instance over http, which a page over https may not do; so it only shows itself.
  async 'run the scripts over https'({ reader, instance }) {
    await using front = new LossyFront(instance.url, 'https');
    await reader.visit(front.url);
    await reader.sees(box(en.shell.welcome.nameLabel));
    expect(await reader.takeFaults()).toEqual([]);
    await reader.visit(instance.url);
  },

  async 'choose a name'({ reader }) {
    await reader.type(box(en.shell.welcome.nameLabel), 'Grace');
    await reader.press('Enter');
    await reader.sees(button(en.shell.header.you('Grace')));
    await reader.sees({ text: `line ${HISTORY}`, within: log });
  },

  async 'send a message'({ reader }) {
    await reader.type(box(en.composer.label), 'The kettle is on.');
    await reader.press('Enter');
    await reader.sees({ text: 'The kettle is on.', within: log });
    await reader.seesThat(box(en.composer.label), ([found]) => found?.value === '');
  },

  async 'take back what the page has inserted'({ reader }) {
    const kettle = (text: string) =>
      reader.seesThat(box(en.composer.label), ([found]) => found?.value === text);
    await reader.type(box(en.composer.label), 'Tea :coffe');
    await reader.sees({ role: 'option', name: ':coffee:' });
    await reader.press('Tab');
    await kettle('Tea ☕ ');
    // WebKit's driver sends Ctrl+Z to the page only.
    await reader.call(() => document.execCommand('undo'));
    await kettle('Tea :coffe');
    await reader.press('Enter');
    await reader.sees({ text: 'Tea :coffe', within: log });
  },

  async 'send a picture'({ reader, picture }) {
    await reader.browser.chooseFile('input[type=file]', picture);
    await reader.sees(button(en.composer.removeFile('picture.png')));
    await reader.click(box(en.composer.label));
    await reader.press('Enter');
    await reader.sees({ role: 'img', name: en.attachments.picture('picture.png'), within: log });
  },

  async 'scroll through the history'({ reader }) {
    const first = { text: 'line 1 of', within: log };
    await reader.scrollTo(first, log, -1_000);
    await reader.click(button(en.conversation.jumpToNewest));
    await reader.sees({ role: 'img', name: en.attachments.picture('picture.png'), within: log });
  },

  async register({ reader }) {
    await reader.click(link(en.shell.header.signIn));
    await reader.click(link(enAccount.signIn.register));
    await reader.type(box(enAccount.register.username), 'grace');
    await reader.type(box(enAccount.register.email), 'grace@lantern.example');
    await reader.type({ css: 'input[type=password]' }, PASSWORD);
    await reader.click(button(enAccount.register.submit));
    await reader.sees(button(en.shell.header.account('grace')));
  },

  async 'make a community'({ reader, instance }) {
    const { create, frame } = enCommunities;
    await reader.visit(instance.url);
    await reader.click({ ...link(frame.create), within: { role: 'main' } });
    await reader.type(box(create.name), 'Lantern Garden');
    await reader.click(button(create.next));
    await reader.click({ role: 'radio', name: frame.visibilities.public });
    await reader.click(button(create.next));
    await reader.seesThat(box(create.slug), ([found]) => found?.value === 'lantern-garden');
    await reader.click(button(create.submit));
    await reader.click(link(create.enter));
    await reader.sees({ role: 'heading', name: create.firstChannel });
  },

  async 'make a channel'({ reader, instance }) {
    const { channels } = enCommunitySettings;
    await reader.visit(new URL('c/lantern-garden/settings/channels', instance.url));
    await reader.click(button(channels.add));
    await reader.type(box(channels.name), 'harvest');
    await reader.click({ role: 'radio', name: channels.kinds.posts });
    await reader.click(button(channels.add));
    await reader.sees({ text: 'harvest', within: dialog });
    await reader.press('Escape');
    await reader.click({ role: 'link', text: 'Lantern Garden', within: { role: 'main' } });
    await reader.click(link('harvest'));
    await reader.sees({ text: enPosts.nothing });
  },

  async post({ reader }) {
    await reader.click(button(enPosts.newPost));
    await reader.type(box(enPostWriting.title), 'A tulip with two heads');
    await reader.type(box(enPostWriting.text), 'Two heads, **really**.');
    await reader.click(button(enPostWriting.publish, dialog));
    await reader.click({ css: '[data-post] a', text: 'A tulip with two heads' });
    await reader.sees({ css: 'strong', text: 'really' });
  },

  async comment({ reader }) {
    await reader.sees({ text: enPosts.firstComment });
    await reader.type(box(enPosts.writeLabel), 'I have never seen one.');
    await reader.click(button(enPosts.send));
    await reader.sees({ css: '[data-comment] p', text: 'I have never seen one.' });
  },

  async vote({ reader }) {
    await reader.click(button(enPosts.voteDown, { css: '[data-comment]' }));
    await reader.sees({ css: '[data-comment] [aria-pressed=true]' });
  },

  async 'change the settings'({ reader, instance }) {
    const { settings } = en.shell;
    await reader.visit(new URL('settings/appearance', instance.url));
    await reader.click({ role: 'radio', name: settings.themes.dark });
    await reader.sees({ css: 'html[data-theme=dark]' });
    await reader.visit(new URL('settings/language', instance.url));
    await reader.click({ role: 'radio', name: settings.languages.de });
    await reader.sees({ css: 'html[lang=de]' });
  },

  async 'read and write on a phone'({ reader, instance }) {
    await reader.resize(PHONE);
    await reader.visit(new URL('c/lantern-garden', instance.url));
    await reader.click(link('general'));
    await reader.type(box('Nachricht'), 'On my way.');
    await reader.press('Enter');
    await reader.sees({ text: 'On my way.', within: log });
    expect(await reader.call(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  },

  async 'load what was lost on the way'({ reader, instance }) {
    await using front = new LossyFront(instance.url);
    await reader.resize(WIDE);
    front.lost = [PART, COLUMNS];
    await reader.visit(new URL('c/lantern-garden', front.url));
    await reader.sees({ text: en.shell.places.partFailed });
    front.lost = [PART];
    await reader.click(button(en.shell.asked.again));
    await reader.sees({ css: 'h2', text: 'Lantern Garden' });

    await reader.visit(front.url);
    await reader.type(box(en.shell.welcome.nameLabel), 'Alan');
    await reader.press('Enter');
    await reader.click(button(en.composer.emoji));
    await reader.sees({ text: en.shell.places.partFailed });
    front.lost = [];
    await reader.click(button(en.shell.asked.again));
    await reader.seesNo({ text: en.shell.places.partFailed });
    await reader.sees({ role: 'searchbox', name: en.composer.emojiSearch });
    await reader.visit(instance.url);
  },
};

/** Errors that must be noticed on a page. */
const FAULTS = [
  /^uncaught: .*thrown/,
  /^unhandled: .*rejected/,
  /^console: printed$/,
  /^policy violated: img-src by http:\/\/elsewhere\.example/,
  /^not loaded: <img src="http:\/\/elsewhere\.example/,
];

/** Goes the main ways in a browser, on one instance and in one window, and expects no error on any page. */
export async function goMainWays(start: () => Promise<RealBrowser>): Promise<void> {
  await using cleanUp = new AsyncDisposableStack();
  const web = cleanUp.use(await observedWebFolder());
  const instance = cleanUp.use(
    await WebInstance.start({
      toml: `registration = "open"\n${GENEROUS_LIMITS}`,
      webFolder: web.path,
    }),
  );
  for (let line = 1; line <= HISTORY; line += 1) await instance.post(`line ${line} of a long talk`);
  const folder = cleanUp.use(await tempFolder());
  const picture = join(folder.path, 'picture.png');
  await writeFile(picture, makePicture(1, 640, 480));
  const reader = new Reader(cleanUp.use(await start()));
  await reader.resize(WIDE);
  for (const [name, go] of Object.entries(WAYS)) {
    await onTheWay(name, reader, () => go({ reader, instance, picture }));
  }
  await expectNoticed(reader);
}

/** Says in an error on which way it was. With SHOTS, a folder, pictures are kept of what was seen at the end of each way. */
async function onTheWay(name: string, reader: Reader, go: () => Promise<void>): Promise<void> {
  const folder = process.env['SHOTS'];
  try {
    await go();
    expect(await reader.takeFaults()).toEqual([]);
  } catch (error) {
    throw new Error(`on the way "${name}"`, { cause: error });
  } finally {
    if (folder !== undefined) {
      const path = join(folder, `${reader.browser.name} ${name}.png`);
      await writeFile(path, await reader.browser.screenshot());
    }
  }
}

/** Makes every kind of error on the page: a test that notices none proves nothing. */
async function expectNoticed(reader: Reader): Promise<void> {
  await reader.call(() => {
    setTimeout(() => {
      throw new Error('thrown');
    });
    void Promise.reject(new Error('rejected'));
    globalThis.console.error('printed');
    const picture = document.createElement('img');
    picture.src = 'http://elsewhere.example/';
    document.body.append(picture);
  });
  const faults: string[] = [];
  await until(async () => {
    faults.push(...(await reader.takeFaults()));
    return FAULTS.every((fault) => faults.some((line) => fault.test(line)));
  });
}
