import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { edited, FollowedPage } from './followed-page.ts';

const ROOT = join(import.meta.dirname, '..');

test.each(['Add a feature in ten steps', 'Add a part to another feature'])(
  'every line after which "%s" adds something is there once',
  (heading) => {
    const changes = new FollowedPage(heading).edits.filter(({ isNew }) => !isNew);
    expect(changes.length).toBeGreaterThan(5);
    for (const edit of changes) {
      const before = readFileSync(join(ROOT, edit.path), 'utf8');
      expect(edited(edit, before).length, edit.path).toBeGreaterThan(before.length);
    }
  },
);
