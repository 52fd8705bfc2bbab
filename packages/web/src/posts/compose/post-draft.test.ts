import { expect, test } from 'bun:test';
import { formatId } from '@hearth/protocol';
import { MemoryStorage } from '../../../test/support/memory-storage.ts';
import { KeptDrafts } from '../../writing/kept-drafts.ts';
import {
  EMPTY_DRAFT,
  NEW_POLL,
  newPostOf,
  parseDraft,
  problemsOf,
  type PostDraft,
} from './post-draft.ts';

const id = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
const draft = (part: Partial<PostDraft>): PostDraft => ({ ...EMPTY_DRAFT, title: 'Oaks', ...part });

test('[WC201] what is wrong with a post is known before it is sent, field by field', () => {
  expect(problemsOf(draft({}))).toEqual({});
  expect(problemsOf(draft({ title: ' ' }))).toEqual({ title: 'missing' });
  expect(problemsOf(draft({ title: 'x'.repeat(301) }))).toEqual({ title: 'long' });
  expect(problemsOf(draft({ content: 'x'.repeat(40_001) }))).toEqual({ content: 'long' });
  expect(problemsOf(draft({ url: 'not an address' }))).toEqual({ url: 'address' });
  expect(problemsOf(draft({ url: 'javascript:alert(1)' }))).toEqual({ url: 'address' });
  for (const url of ['ada@example.org', 'https://:b@example.org', 'https://example.org/\u202Ea']) {
    expect(problemsOf(draft({ url }))).toEqual({ url: 'address' });
  }
  expect(problemsOf(draft({ url: 'example.org/oaks' }))).toEqual({});
  expect(problemsOf(draft({ url: 'example.org/@ada' }))).toEqual({});
  expect(problemsOf(draft({ tags: [1, 2, 3, 4, 5, 6].map(id) }))).toEqual({ tags: 'many' });
  expect(problemsOf(draft({ poll: NEW_POLL }))).toEqual({ poll: 'options' });
  const same = { ...NEW_POLL, options: ['Yes', 'Yes '] };
  expect(problemsOf(draft({ poll: same }))).toEqual({ poll: 'same' });
});

test('a post is sent without what was left empty, and an address with what people leave out', () => {
  const poll = { options: ['Yes', '', 'No '], isMultiple: true, hours: 24 };
  expect(newPostOf(draft({ title: ' Oaks ', url: 'example.org', poll }), 1_000)).toEqual({
    title: 'Oaks',
    url: 'https://example.org',
    poll: { options: ['Yes', 'No'], multiple: true, ends_at: 1_000 + 24 * 3_600_000 },
  });
});

test('[WC200] a draft is kept for each channel and each account until it is forgotten', () => {
  const storage = new MemoryStorage();
  const drafts = (key: string) => new KeptDrafts({ storage, key });
  const oaks = draft({ content: 'two of them', tags: [id(7)] });
  drafts('1').keep('new.5', JSON.stringify(oaks));
  expect(parseDraft(drafts('1').read('new.5'))).toEqual(oaks);
  expect([drafts('1').read('new.6'), drafts('2').read('new.5')]).toEqual([undefined, undefined]);
  drafts('1').keep('new.5', '');
  expect(parseDraft(drafts('1').read('new.5'))).toBeUndefined();
  expect(storage.length).toBe(0);
});
