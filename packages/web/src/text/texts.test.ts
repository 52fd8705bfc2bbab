import { describe, expect, test } from 'bun:test';
import { RATE_LIMIT_NAMES } from '@hearth/protocol';
import { signal } from '@preact/signals';
import { de } from './de.ts';
import { deAccount } from './de/account.ts';
import { deChannelMessages } from './de/channel-messages.ts';
import { deCommunities } from './de/communities.ts';
import { deCommunitySettings } from './de/community-settings.ts';
import { deConflicts } from './de/conflicts.ts';
import { en } from './en.ts';
import { enAccount } from './en/account.ts';
import { enChannelMessages } from './en/channel-messages.ts';
import { enCommunities } from './en/communities.ts';
import { enCommunitySettings } from './en/community-settings.ts';
import { enConflicts } from './en/conflicts.ts';
import { LANGUAGES, Texts, type Language } from './texts.ts';

type Entries = Readonly<Record<string, unknown>>;

function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null;
}

/** Every sentence by its path, with marks for its values. */
function sentences(entries: Entries, path = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(entries).flatMap(([key, value]) => {
      const name = `${path}${key}`;
      if (isEntries(value)) return Array.from(sentences(value, `${name}.`));
      return [[name, typeof value === 'function' ? filled(value) : String(value)] as const];
    }),
  );
}

function filled(sentence: Function): string {
  return String(sentence(...['⟨1⟩', '⟨2⟩', '⟨3⟩'].slice(0, sentence.length)));
}

const marksIn = (sentence: string) => sentence.match(/⟨\d⟩/g)?.toSorted() ?? [];

describe('every language has the same texts:', () => {
  // Those about accounts, communities and conflicts come with their views.
  const english = sentences({
    ...en,
    conflicts: enConflicts,
    account: enAccount,
    channelMessages: enChannelMessages,
    communities: enCommunities,
    communitySettings: enCommunitySettings,
  });
  const german = sentences({
    ...de,
    conflicts: deConflicts,
    account: deAccount,
    channelMessages: deChannelMessages,
    communities: deCommunities,
    communitySettings: deCommunitySettings,
  });

  test('no text is missing, empty or superfluous', () => {
    expect(Array.from(german.keys()).toSorted()).toEqual(Array.from(english.keys()).toSorted());
    expect(Array.from(german).filter(([, sentence]) => sentence.trim() === '')).toEqual([]);
    expect(english.size).toBeGreaterThan(100);
  });

  test('no sentence has the word "instance", which a chat user need not know', () => {
    const saysInstance = ([, sentence]: readonly [string, string]) => /instan[cz]/i.test(sentence);
    expect([...english, ...german].filter(saysInstance)).toEqual([]);
  });

  test('[WC114] texts about codes promise no link, which mails have only if the instance knows its address', () => {
    const leadsToMail = /^account\.(forgotten|verify|account)\.|^account\.reset\.another$/;
    const promised = [...english, ...german].filter(
      ([name, sentence]) => leadsToMail.test(name) && /link/i.test(sentence),
    );
    expect(promised).toEqual([]);
  });

  test('German has one word for pinning', () => {
    expect(Array.from(german).filter(([, sentence]) => /heft(e|u)/i.test(sentence))).toEqual([]);
  });

  test('a translation has the same values as its original', () => {
    for (const [name, sentence] of english) {
      expect([name, ...marksIn(german.get(name) ?? '')]).toEqual([name, ...marksIn(sentence)]);
    }
  });
});

describe('the language', () => {
  const texts = (wanted: Language | 'system', preferred: readonly string[]) =>
    new Texts(signal(wanted), preferred);

  test.each([
    [['de-AT', 'en'], 'de'],
    [['fr-FR', 'de'], 'de'],
    [['EN-gb', 'de'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ] as const)('the language of a browser that prefers %j is %s', (preferred, language) => {
    expect(texts('system', preferred).language.value).toBe(language);
  });

  test('chosen by the reader comes before those of the browser, and can be changed again', async () => {
    const wanted = signal<Language | 'system'>('de');
    const texts = new Texts(wanted, ['en-US']);
    const { catalogue, language } = texts;
    expect(catalogue.value.composer.send).toBe(en.composer.send);
    await texts.ready();
    expect(catalogue.value.composer.send).toBe(de.composer.send);
    wanted.value = 'en';
    expect(catalogue.value.composer.send).toBe(en.composer.send);
    expect(LANGUAGES).toContain(language.value);
  });

  test('the language has the region of the browser if the browser has that language', () => {
    expect(texts('de', ['en-US', 'de-CH']).formats.value.locale).toBe('de-CH');
    expect(texts('de', ['en-US']).formats.value.locale).toBe('de');
  });
});

test('every limit that has a text is in the table', () => {
  expect(RATE_LIMIT_NAMES).toEqual(expect.arrayContaining(Object.keys(en.shell.instance.rates)));
});
