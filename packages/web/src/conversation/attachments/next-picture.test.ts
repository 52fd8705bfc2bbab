import { signal } from '@preact/signals';
import type { FileData } from '@hearth/sdk';
import { expect, test } from 'bun:test';
import type { ConversationEntry, MessageEntry } from '../messages/entry.ts';
import { nextPicture } from './next-picture.ts';

const pictureOf = (id: string, isSpoiler = false): FileData => ({
  id,
  name: `${id}.png`,
  bucket: 'attachments',
  metadata: { type: 'image', width: 1, height: 1 },
  ...(isSpoiler && { spoiler: true }),
});

const entryOf = (content: string): MessageEntry => ({
  kind: 'message',
  key: content,
  id: undefined,
  author: 'ada',
  content,
  createdAtMs: 1,
  nonce: undefined,
  isOwn: false,
  isPageStart: false,
});

const FILES = new Map(
  [
    pictureOf('a'),
    pictureOf('b', true),
    pictureOf('c', true),
    pictureOf('d'),
    { ...pictureOf('e'), metadata: { type: 'other' as const } },
  ].map((data) => [data.id, data]),
);

/** Messages that name files, of which the reader has revealed `c`. */
const pictures = {
  attachments: {
    split: (text: string) => ({ text: '', ids: text.split(' ') }),
    known: (id: string) => FILES.get(id),
    revealed: signal(new Set(['c'])),
  },
  entries: signal<readonly ConversationEntry[]>(['a b', 'c', 'e d'].map(entryOf)),
};

test('[WC29] the next picture is the next one of the shown messages that is not hidden', () => {
  const walk = (step: 1 | -1) => (id: string) => nextPicture(pictures, id, step);
  expect(['a', 'c', 'd'].map(walk(1))).toEqual(['c', 'd', undefined]);
  expect(['d', 'c', 'a'].map(walk(-1))).toEqual(['c', 'a', undefined]);
});

test('[WC29] a picture that the shown messages do not have has no next one', () => {
  expect([nextPicture(pictures, 'z', 1), nextPicture(pictures, 'z', -1)]).toEqual([
    undefined,
    undefined,
  ]);
});
