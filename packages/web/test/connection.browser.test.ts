import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { en } from '../src/text/en.ts';
import { browserTest } from '@hearth/testing/browser/chromium';
import { KeptLobby } from './support/kept-lobby.ts';
import { eventually, inAnyWords, Someone } from './support/someone.ts';
import { useBrowser } from '@hearth/testing/browser/use-browser';
import type { Visit } from '@hearth/testing/browser/visit';
import { WebInstance } from './support/web-instance.ts';

/** The entries that Chromium prints to the console if an instance cannot be reached. */
const UNREACHABLE = [/net::ERR_/, /WebSocket connection to/];

const WITHOUT_HISTORY = `[oprish]
history = { messages = 0 }
${GENEROUS_LIMITS.replace('[pandemonium]', '[pandemonium]\nreplay = { events = 0 }')}`;

const browser = useBrowser();

/** Things that tests without an instance of their own share. */
let lines: WebInstance;
const lobby = new KeptLobby(browser);

beforeAll(async () => {
  lines = await WebInstance.start({ hasLines: true });
});

afterAll(() => lines[Symbol.asyncDispose]());

/** A window of somebody in the lobby of the shared instance. */
async function enterShared(): Promise<Someone> {
  const grace = await lobby.enter(lines);
  grace.visit.expectFaults(...UNREACHABLE);
  return grace;
}

/** Resolves with those of the newest messages of the shared instance that match. */
const sharedContents = async (pattern: RegExp) =>
  (await lines.contents(20)).filter((content) => pattern.test(content));

async function enter(instance: WebInstance, visit?: Visit): Promise<Someone> {
  const used = visit ?? (await browser.emptyVisit());
  used.expectFaults(...UNREACHABLE);
  return Someone.enter(used, instance);
}

/** Takes the network away from a browser, or gives it back; the browser knows. */
async function setOnline(visit: Visit, instance: WebInstance, isOnline: boolean): Promise<void> {
  instance.setOnline(isOnline);
  await visit.context.setOffline(!isOnline);
}

describe('somebody whose network is lost and comes back', () => {
  browserTest('sees this, keeps what they write, and misses nothing', async () => {
    await using instance = await WebInstance.start({ hasLines: true });
    const grace = await enter(instance, await browser.visit());
    await instance.post('line 1');
    await grace.reads('line 1');
    await setOnline(grace.visit, instance, false);
    await grace.status(en.shell.connection.offline).waitFor({ state: 'attached' });
    await grace.page.getByText(en.shell.banner.offline).waitFor();
    // Announced once, however often it is displayed.
    expect(
      await grace.page
        .getByRole('status')
        .filter({ hasText: /offline/i })
        .count(),
    ).toBe(1);
    for (let i = 2; i <= 6; i += 1) await instance.post(`line ${i}`);
    await grace.say('line 7, said while offline');
    await grace.log.getByText(en.conversation.waitingForConnection).waitFor();
    expect(await grace.messageBox.inputValue()).toBe('');
    await setOnline(grace.visit, instance, true);
    await grace.waitUntilOnline();
    const all = ['line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'line 6', 'line 7'];
    await grace.sees(/line \d/, all);
    expect(await grace.log.getByText(inAnyWords(en.conversation.gap)).count()).toBe(0);
    const said = [...all.slice(0, -1), 'line 7, said while offline'];
    await eventually(() => instance.contents(9), said);
  });

  browserTest(
    'misses nothing if the browser does not notice, and can reconnect at once',
    async () => {
      await using instance = await WebInstance.start({ hasLines: true });
      const grace = await enter(instance);
      await instance.post('line 1');
      await grace.reads('line 1');
      instance.setOnline(false);
      await grace.page.getByText(en.shell.banner.reconnecting).waitFor();
      for (let i = 2; i <= 4; i += 1) await instance.post(`line ${i}`);
      instance.setOnline(true);
      await grace.comeBack();
      await grace.sees(/line \d/, ['line 1', 'line 2', 'line 3', 'line 4']);
      expect(await grace.log.getByText(inAnyWords(en.conversation.gap)).count()).toBe(0);
    },
  );
});

describe('an instance that is restarted', () => {
  browserTest('leaves no gap: the messages from before and after the stop are shown', async () => {
    await using instance = await WebInstance.start();
    const grace = await enter(instance);
    await instance.post('line 1');
    await grace.reads('line 1');
    await instance.stop();
    await grace.page.getByText(en.shell.banner.reconnecting).waitFor();
    await grace.say('line 4, said while it was away');
    await instance.startAgain();
    await instance.post('line 2');
    await instance.post('line 3');
    await grace.comeBack();
    await grace.sees(/line \d/, ['line 1', 'line 2', 'line 3', 'line 4']);
    expect(await grace.log.getByText(inAnyWords(en.conversation.gap)).count()).toBe(0);
    await eventually(async () => (await instance.contents(9)).length, 4);
  });

  browserTest('without a history leaves a gap, which is shown', async () => {
    await using instance = await WebInstance.start({ toml: WITHOUT_HISTORY });
    const grace = await enter(instance);
    await instance.post('line 1');
    await grace.reads('line 1');
    await instance.stop();
    await grace.page.getByText(en.shell.banner.reconnecting).waitFor();
    await instance.startAgain();
    await grace.comeBack();
    await instance.post('line 2');
    await grace.sees(/line \d|Something may be missing/, [
      'line 1',
      'Something may be missing',
      'line 2',
    ]);
  });
});

describe('nothing that was typed is lost', () => {
  browserTest('when the page is reloaded', async () => {
    const grace = await enterShared();
    await grace.write('half a sentence');
    await grace.page.reload();
    await grace.waitUntilOnline();
    expect(await grace.messageBox.inputValue()).toBe('half a sentence');
  });

  browserTest('when the page is reloaded while the instance is unavailable', async () => {
    const grace = await enterShared();
    lines.setOnline(false);
    await grace.page.getByText(en.shell.banner.reconnecting).waitFor();
    await grace.say('waits 1');
    await grace.say('waits 2');
    await grace.log.getByText(en.conversation.waitingForConnection).first().waitFor();
    await grace.page.reload();
    await grace.sees(/waits \d/, ['waits 1', 'waits 2']);
    lines.setOnline(true);
    await grace.comeBack();
    await grace.log.locator('[data-delivery]').first().waitFor({ state: 'detached' });
    await grace.sees(/waits \d/, ['waits 1', 'waits 2']);
    expect(await sharedContents(/waits/)).toEqual(['waits 1', 'waits 2']);
  });

  browserTest('when it is too long', async () => {
    await using instance = await WebInstance.start({ toml: '[oprish]\nmessage_limit = 20\n' });
    const grace = await enter(instance);
    // Characters are counted as the interface counts them.
    await grace.write('😀'.repeat(21));
    await grace.page.getByText(en.composer.charactersOver(1, '1')).waitFor();
    await grace.messageBox.press('Enter');
    await grace.page.getByRole('alert').getByText(en.composer.tooLong).waitFor();
    expect(await grace.messageBox.inputValue()).toBe('😀'.repeat(21));
    expect(await instance.contents(1)).toEqual([]);
    await grace.say('😀'.repeat(20));
    await grace.reads('😀'.repeat(20));
  });

  browserTest('when the instance refuses it', async () => {
    await using instance = await WebInstance.start({ hasLines: true });
    const grace = await enter(instance);
    grace.visit.expectFaults(/status of 422/);
    // Its owner has lowered the limit since the page was loaded.
    await grace.seeRestart(instance, { messageLimit: 5 });
    await grace.say('longer than five');
    await grace.log.getByRole('alert').getByText(inAnyWords(en.shell.errors.notSent)).waitFor();
    await grace.reads('longer than five');
    await grace.page.reload();
    await grace.reads('longer than five');
    await grace.button(en.conversation.deleteUnsent).click();
    await grace.message('longer than five').waitFor({ state: 'detached' });
  });
});

describe('a message that fails', () => {
  browserTest('is marked as failed, and is sent once when it is tried again', async () => {
    const grace = await enterShared();
    // The gateway stays connected, so that the client knows that the message has not come back.
    lines.lines?.rest.cut();
    await grace.say('sent at last');
    await grace.log
      .getByRole('alert')
      .getByText(inAnyWords(en.shell.errors.maybeNotSent))
      .waitFor();
    lines.lines?.rest.mend();
    await grace.button(en.conversation.tryAgain).click();
    await grace.log.getByRole('alert').waitFor({ state: 'detached' });
    await grace.sees(/sent at last/, ['sent at last']);
    await eventually(() => sharedContents(/sent at last/), ['sent at last']);
  });

  browserTest('while it is being posted is not sent twice, whatever its outcome', async () => {
    const grace = await enterShared();
    // It is accepted, but neither the reply nor the event gets through.
    const { promise: posted, resolve: wasPosted } = Promise.withResolvers<void>();
    lines.lines?.gateway.hold();
    await grace.visit.context.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
      wasPosted();
    });
    await grace.say('only once');
    await posted;
    await grace.visit.context.unroute('**/messages');
    lines.lines?.gateway.cut();
    lines.lines?.gateway.mend();
    await grace.comeBack();
    await grace.log.getByText(en.conversation.sending).waitFor({ state: 'detached' });
    await grace.sees(/only once/, ['only once']);
    expect(await sharedContents(/only once/)).toEqual(['only once']);
  });

  browserTest('shows at once, before it comes back', async () => {
    const grace = await enterShared();
    lines.lines?.rest.hold();
    await grace.say('seen at once');
    await grace.reads('seen at once');
    await grace.log.getByText(en.conversation.sending).waitFor();
    lines.lines?.rest.mend();
    await grace.log.getByText(en.conversation.sending).waitFor({ state: 'detached' });
    await grace.sees(/seen at once/, ['seen at once']);
  });
});
