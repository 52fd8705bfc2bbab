import { parseId, type Id, type LobbyMessage } from '@hearth/protocol';
import { browserTest } from '@hearth/testing/browser/chromium';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import type { Visit } from '@hearth/testing/browser/visit';
import { asOwner } from '@hearth/testing/instances/as-owner';
import { removeAsOwner } from '@hearth/testing/instances/remove-as-owner';
import { expect } from 'bun:test';
import { OWNER } from '../../server/src/actor.ts';
import { setAccessCode } from '../../server/src/features/accounts/moderation/owner-restrictions.ts';
import { removeUpload } from '../../server/src/features/files/uploads/remove-upload.ts';
import { en } from '../src/text/en.ts';
import { makePicture } from './support/picture.ts';
import { eventually, Someone } from './support/someone.ts';
import { WebInstance } from './support/web-instance.ts';

const browser = useBrowser();

/** The entries that Chromium prints to the console without a network. */
const AWAY = /ERR_|Failed to load|WebSocket|network|status of 40[34]/i;

/** Returns what the browser keeps: the ids of pictures, and the number of lists of messages. */
function keptBy({
  page,
}: Someone): Promise<{ readonly pictures: readonly string[]; readonly lists: number }> {
  return page.evaluate(async () => {
    const request = indexedDB.open('hearth-kept');
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('not opened')));
    });
    const all = database.transaction('values').objectStore('values').getAllKeys();
    const keys = await new Promise<string[]>((resolve) => {
      all.addEventListener('success', () => resolve(all.result.map(String)));
    });
    database.close();
    const pictures = keys.filter((key) => key.includes(' picture '));
    return {
      pictures: pictures.map((key) => key.slice(key.lastIndexOf(' ') + 1)).toSorted(),
      lists: keys.length - pictures.length,
    };
  });
}

/** The sides of the pictures that the page shows from what was kept, by their names. */
function keptPictures({ log }: Someone): Promise<Readonly<Record<string, number>>> {
  return log.evaluate((element) =>
    Object.fromEntries(
      [...element.querySelectorAll('img')]
        .filter(({ src, alt }) => src.startsWith('blob:') && alt !== '')
        .map(({ alt, naturalWidth }) => [alt, naturalWidth]),
    ),
  );
}

/** The statuses with which the server answers requests for pictures from now on. */
async function pictureStatuses({ context, page }: Visit): Promise<readonly number[]> {
  const session = await context.newCDPSession(page);
  const pictures = new Set<string>();
  const statuses: number[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/media/')) pictures.add(requestId);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    if (pictures.has(requestId)) statuses.push(statusCode);
  });
  await session.send('Network.enable');
  return statuses;
}

const idOf = (address: string): Id => {
  const id = parseId(address.slice(address.lastIndexOf('/') + 1));
  if (id === undefined) throw new Error(`no id in ${address}`);
  return id;
};

async function postPictures(instance: WebInstance, count: number): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const picture = makePicture(index, 800, 600);
    addresses.push(await instance.store(picture, `${index}.png`));
    await instance.post(addresses.at(-1) ?? '');
  }
  return addresses;
}

const named = (...numbers: readonly number[]) =>
  Object.fromEntries(numbers.map((each) => [en.attachments.picture(`${each}.png`), 400]));

browserTest(
  '[WC93] small pictures of the kept messages are shown without a network, and go with their message or file',
  async () => {
    await using instance = await WebInstance.start();
    const visit = await browser.visit({
      serviceWorkers: 'allow',
      viewport: { width: 1280, height: 1600 },
    });
    visit.expectFaults(AWAY);
    const addresses = await postPictures(instance, 3);
    const [first, second, third] = addresses.map(idOf);
    const statuses = await pictureStatuses(visit);
    const grace = await Someone.enter(visit, instance);
    await grace.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await eventually(() => keptBy(grace), {
      pictures: [first, second, third].map(String).toSorted(),
      lists: 1,
    });
    // The browser has what is kept in its cache: no picture is sent twice, and no whole file.
    const requested = visit.requested.filter((url) => url.includes('/media/'));
    expect(requested.filter((url) => !url.endsWith('?size=400'))).toEqual([]);
    expect(statuses.filter((status) => status !== 304)).toEqual([200, 200, 200]);

    await instance.stop();
    await grace.page.reload();
    await eventually(() => keptPictures(grace), named(0, 1, 2));
    await grace.button(en.attachments.open('1.png')).click();
    const large = grace.page.getByRole('dialog').getByRole('img');
    await eventually(
      () => large.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
      400,
    );
    await grace.page.keyboard.press('Escape');
    // The page goes back only after a while, and must not leave the next address.
    await eventually(() => grace.entriesBefore(), 0);

    // A message that is removed while the page is closed, and a file whose message stays.
    await grace.page.goto('about:blank');
    await instance.startAgain();
    const history: readonly LobbyMessage[] = await (
      await fetch(`${instance.addresses.rest}/messages`)
    ).json();
    await removeAsOwner(instance, history.find(({ content }) => content === addresses[0])?.id);
    if (second !== undefined) await asOwner(instance, (ctx) => removeUpload(ctx, OWNER, second));
    await grace.page.goto(instance.url);
    await grace.waitUntilOnline();
    await eventually(() => keptBy(grace), { pictures: [String(third)], lists: 1 });
    await instance.stop();
    await grace.page.reload();
    await eventually(() => keptPictures(grace), named(2));

    // A message that is removed while the page is open.
    await instance.startAgain();
    await grace.comeBack();
    await grace.log.locator('.picture-front[data-loaded]').waitFor();
    await removeAsOwner(instance, history.find(({ content }) => content === addresses[2])?.id);
    await eventually(() => keptBy(grace), { pictures: [], lists: 1 });
  },
);

browserTest('[WC93][WC93a] nothing is kept if the access code is refused', async () => {
  await using instance = await WebInstance.start();
  const visit = await browser.visit();
  visit.expectFaults(AWAY);
  const [address = ''] = await postPictures(instance, 1);
  const grace = await Someone.enter(visit, instance);
  await eventually(() => keptBy(grace), { pictures: [String(idOf(address))], lists: 1 });
  await asOwner(instance, (ctx) => setAccessCode(ctx, OWNER, 'k7mw+p3xd'));
  await grace.page.getByRole('textbox', { name: en.shell.accessCode.label }).waitFor();
  await eventually(() => keptBy(grace), { pictures: [], lists: 0 });
});
