import { expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(import.meta.dir, '..');

interface Link {
  readonly file: string;
  readonly target: string;
}

/** The links of a text that lead to a place in the repository. */
function linksIn(file: string, text: string): readonly Link[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:href|src|srcset)="([^"\s]+)"/g)];
  return targets
    .map(([, markdown, html]) => ({ file, target: markdown ?? html ?? '' }))
    .filter(({ target }) => !/^[a-z][a-z0-9+.-]*:/i.test(target));
}

/** The anchors of a text, as GitHub makes them of its headings. */
function anchorsIn(text: string): readonly string[] {
  const headings = [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function leadsSomewhere({ file, target }: Link): boolean {
  const [path = '', anchor] = target.split('#');
  const found = path === '' ? join(ROOT, file) : resolve(ROOT, dirname(file), path);
  if (!existsSync(found)) return false;
  if (anchor === undefined) return true;
  return statSync(found).isFile() && anchorsIn(readFileSync(found, 'utf8')).includes(anchor);
}

test('every relative link in the documents leads to a file or folder, and to a heading of it', () => {
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.md'], { cwd: ROOT });
  const files = stdout.toString().trim().split('\n');
  const links = files.flatMap((file) => linksIn(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter((link) => !leadsSomewhere(link));
  expect(broken.map(({ file, target }) => `${file}: ${target}`)).toEqual([]);
});
