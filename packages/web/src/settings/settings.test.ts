import { expect, test } from 'bun:test';
import { MemoryStorage } from '../../test/support/memory-storage.ts';
import { Settings } from './settings.ts';

test('choices are kept', () => {
  const storage = new MemoryStorage();
  {
    using settings = new Settings(storage);
    settings.name.value = 'Ada';
    settings.theme.value = 'dark';
    settings.language.value = 'de';
    settings.motion.value = 'off';
    settings.notifications.value = true;
    settings.mentionsOnly.value = true;
    settings.sound.value = true;
    settings.density.value = 'compact';
  }
  using again = new Settings(storage);
  expect(values(again)).toEqual(['Ada', 'dark', 'de', 'off', true, true, true, 'compact']);
});

test('the default is to follow the system', () => {
  using settings = new Settings(new MemoryStorage());
  expect(values(settings)).toEqual(['', 'system', 'system', 'system', false, false, false, 'cosy']);
});

test('a stored value that is not a choice is ignored', () => {
  const storage = new MemoryStorage();
  storage.setItem('hearth.theme', 'pink');
  storage.setItem('hearth.language', '');
  storage.setItem('hearth.notifications', 'yes');
  using settings = new Settings(storage);
  expect(values(settings)).toEqual(['', 'system', 'system', 'system', false, false, false, 'cosy']);
});

test('without a storage, or with a full one, choices last as long as the page', () => {
  const full = new MemoryStorage();
  full.isFull = true;
  for (const storage of [undefined, full]) {
    using settings = new Settings(storage);
    settings.theme.value = 'light';
    expect(settings.theme.value).toBe('light');
  }
});

function values(settings: Settings): readonly unknown[] {
  const { name, theme, language, motion, notifications, mentionsOnly, sound, density } = settings;
  const all = [name, theme, language, motion, notifications, mentionsOnly, sound, density];
  return all.map(({ value }) => value);
}
