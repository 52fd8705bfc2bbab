import { expect, test } from 'bun:test';
import { signal } from '@preact/signals';
import { garden } from '../../test/support/fake-communities.ts';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import type { MessageEntry } from '../conversation/messages/entry.ts';
import { Settings } from '../settings/settings.ts';
import { Texts } from '../text/texts.ts';
import type { Mention } from '../communities/community-source.ts';
import { notificationBody } from './notification-body.ts';
import { startNotifications } from './notifications.ts';

const WORDS = { file: 'a file', newMessage: 'New message' };

function bodyOf(text: string, ids: readonly string[] = []): string {
  return notificationBody({ text, ids }, WORDS);
}

test('[WC64] a notification has the beginning of the plain text, or says that there is a file', () => {
  expect(bodyOf('**hello** ||you||')).toBe('hello ▇▇▇');
  expect(bodyOf('', ['a'])).toBe('a file');
  expect(bodyOf('https://example.org/')).toBe('New message');
  expect(bodyOf('x'.repeat(300))).toBe(`${'x'.repeat(200)}…`);
  expect(bodyOf(`${'x'.repeat(199)}😀y`).isWellFormed()).toBe(true);
});

const INFO = {
  instance_name: 'Home',
  description: null,
  version: '0.3.2',
  message_limit: 100,
  oprish_url: 'http://home.test',
  pandemonium_url: 'ws://home.test',
  effis_url: 'http://home.test',
  file_size: 1,
  attachment_file_size: 1,
};

function messageOf(content: string, isOwn = false): MessageEntry {
  return {
    kind: 'message',
    key: content,
    id: undefined,
    author: 'alan',
    content,
    createdAtMs: 1,
    nonce: undefined,
    isOwn,
    isPageStart: false,
  };
}

/** A hidden page whose reader wants to hear and see new messages, and what it does to be noticed. */
function hiddenPage() {
  const settings = new Settings(new MemoryStorage());
  settings.name.value = 'ada';
  settings.notifications.value = true;
  settings.sound.value = true;
  const heard: string[] = [];
  const shown: string[] = [];
  let isHidden = true;
  let onMessage: (entry: MessageEntry) => void = () => {};
  let onRemoval = onMessage;
  const looks: (() => void)[] = [];
  const opened: (string | undefined)[] = [];
  const mention = signal<Mention | undefined>(undefined);
  const messages = {
    onMessage: (listener: typeof onMessage) => ((onMessage = listener), () => true),
    onRemoval: (listener: typeof onMessage) => ((onRemoval = listener), () => true),
  };
  startNotifications(
    {
      settings,
      accounts: settings,
      texts: new Texts(settings.language, ['en']),
      attachments: { split: (text) => ({ text, ids: [] }) },
      instance: { info: INFO },
      communities: { mention },
      lobby: { addressOf: (id) => `/lobby/${id}`, messages },
    },
    {
      isHidden: () => isHidden,
      onLook: (listener) => (looks.push(listener), () => {}),
      playSound: () => void heard.push('sound'),
      mayNotify: () => true,
      notify: ({ title, options: { body }, path }) => {
        opened.push(path);
        return Promise.resolve(void shown.push(`${title}: ${body}`));
      },
      closeNotification: () => Promise.resolve(void shown.push('closed')),
    },
  );
  return {
    settings,
    heard,
    shown,
    opened,
    mention: async (content: string, messageId: string) => {
      const [channel] = garden().channels;
      if (channel === undefined) throw new Error('there is no channel');
      mention.value = {
        community: garden(),
        channel,
        path: `/c/garden/2/${messageId}`,
        author: 'alan',
        content,
      };
      await Bun.sleep(0);
    },
    receive: async (...contents: readonly string[]) => {
      for (const content of contents) onMessage(messageOf(content));
      await Bun.sleep(0);
    },
    receiveOwn: (content: string) => onMessage(messageOf(content, true)),
    remove: async (content: string) => {
      onRemoval(messageOf(content));
      await Bun.sleep(0);
    },
    look: async () => {
      isHidden = false;
      for (const look of looks) look();
      await Bun.sleep(0);
    },
  };
}

test('[WC64] the newest message is shown and heard, and how many there are', async () => {
  const { receive, receiveOwn, look, heard, shown, settings } = hiddenPage();
  await receive('one');
  receiveOwn('mine');
  await receive('two');
  expect(shown).toEqual(['alan · Home: one', '2 new messages · Home: alan: two']);
  expect(heard.length).toBe(2);
  settings.sound.value = false;
  settings.notifications.value = false;
  await receive('three');
  expect([shown.length, heard.length]).toEqual([2, 2]);
  await look();
  expect(shown.at(-1)).toBe('closed');
  settings.sound.value = true;
  settings.notifications.value = true;
  await receive('four');
  // Switching the sound on is heard, too.
  expect([shown.length, heard.length]).toEqual([3, 3]);
});

test('[WC64] only messages that mention the reader or reply to them are announced, if that is chosen', async () => {
  const { receive, heard, shown, settings } = hiddenPage();
  settings.mentionsOnly.value = true;
  await receive('hello', '> **alan**: hello @ada\n\nand to you');
  expect([heard, shown]).toEqual([[], []]);
  await receive('hi @ada');
  await receive('> **ada**: hello\n\nand to you');
  expect([heard.length, shown]).toEqual([
    2,
    ['alan · Home: hi @ada', '2 new messages · Home: alan: and to you'],
  ]);
});

test('[WC64] only the last of many messages at once is shown', async () => {
  const { receive, shown } = hiddenPage();
  await receive(...Array.from({ length: 300 }, (_, index) => `no. ${index}`));
  expect(shown.length).toBeLessThan(3);
  expect(shown.at(-1)).toBe('300 new messages · Home: alan: no. 299');
});

test('[WC17] a notification closes when its message is removed', async () => {
  const { receive, remove, shown } = hiddenPage();
  await receive('one');
  await receive('two');
  await remove('one');
  expect(shown.length).toBe(2);
  await remove('two');
  expect(shown.at(-1)).toBe('closed');
  await receive('three');
  expect(shown.at(-1)).toBe('alan · Home: three');
});

test('[WC64][WC64a] a mention in a channel is shown and heard, and leads to its message', async () => {
  const { mention, look, shown, heard, opened, settings } = hiddenPage();
  settings.mentionsOnly.value = true;
  await mention('hello @ada', '501');
  await mention('', '502');
  expect(shown).toEqual([
    'alan · #general · Lantern Garden: hello @ada',
    '2 new messages · #general · Lantern Garden: alan: New message',
  ]);
  expect([opened, heard.length]).toEqual([['/c/garden/2/501', '/c/garden/2/502'], 2]);
  await look();
  expect(shown.at(-1)).toBe('closed');
  await mention('while somebody looks', '503');
  expect(shown.length).toBe(3);
});
