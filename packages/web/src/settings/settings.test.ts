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
  }
  using again = new Settings(storage);
  expect(values(again)).toEqual(['Ada', 'dark', 'de', 'off', true]);
});

test('the default is to follow the system', () => {
  using settings = new Settings(new MemoryStorage());
  expect(values(settings)).toEqual(['', 'system', 'system', 'system', false]);
});

test('a stored value that is not a choice is ignored', () => {
  const storage = new MemoryStorage();
  storage.setItem('hearth.theme', 'pink');
  storage.setItem('hearth.language', '');
  storage.setItem('hearth.notifications', 'yes');
  using settings = new Settings(storage);
  expect(values(settings)).toEqual(['', 'system', 'system', 'system', false]);
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
  const { name, theme, language, motion, notifications } = settings;
  return [name.value, theme.value, language.value, motion.value, notifications.value];
}
