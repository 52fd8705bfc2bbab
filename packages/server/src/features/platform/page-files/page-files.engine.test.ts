import { fakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import { KeptPageFiles, keepPageFiles } from './page-files.ts';

const MOST = 100;

/** A build with one file of its own and one that all builds have. */
const buildOf = (name: string, size = 10) => ({
  build: name,
  files: [
    { path: `/assets/${name}.js`, content: 'x'.repeat(size) },
    { path: '/assets/font.woff2', content: 'f' },
  ],
});

onEachDatabase((open) => {
  test('[WC344] the files of two builds are kept, whichever process asks, and no more than fit', async () => {
    await using one = await open();
    await using other = await one.openAgain();
    const clock = fakeClock();
    const keep = async (name: string, size?: number) => {
      clock.advance(2_000);
      await keepPageFiles({ database: ownerOutbox(one), clock }, buildOf(name, size), MOST);
      clock.advance(2_000);
    };
    const elsewhere = new KeptPageFiles({ database: ownerOutbox(other), clock });
    const found = async () => {
      const names = ['a', 'b', 'c', 'd', 'font'];
      const paths = names.map((name) => `/assets/${name}.${name === 'font' ? 'woff2' : 'js'}`);
      const contents = await Promise.all(paths.map((path) => elsewhere.find(path)));
      return names.filter((_, at) => contents[at] !== undefined).join('');
    };
    expect(await found()).toBe('');
    await keep('a');
    await keep('a');
    expect(await found()).toBe('afont');
    await keep('b');
    expect(await found()).toBe('abfont');
    // Processes of both run for a while, and the one before them is gone when a third comes.
    await keep('a');
    await keep('c');
    expect(await found()).toBe('acfont');
    await keep('d', MOST - 2);
    expect(await found()).toBe('dfont');
    await keep('a', MOST + 1);
    expect(await found()).toBe('');
  });
});
