import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const LONG_FUNCTION = `export function long(): void {\n${'  void 0;\n'.repeat(60)}}\n`;
const LONG_FILE = `export const end = 1;${'\n'.repeat(401)}`;
const FOUR_PARAMETERS = 'export const f = (a = 1, b = 2, c = 3, d = 4) => a + b + c + d;\n';
// Matchers on promises return promises, although their types do not say so.
const AWAITED_MATCHER = `import { expect } from 'bun:test';
await expect(Promise.reject(new Error('x'))).rejects.toThrow('x');\n`;
const INCOMPLETE_SWITCH = `export function f(x: 'a' | 'b'): void {
  switch (x) {
    case 'a':
      return;
  }
}\n`;

/** Refused code: its file, the rule that must report it, and the code itself. */
const REFUSED: readonly (readonly [path: string, rule: string, source: string])[] = [
  ['cli/src/any.ts', 'typescript(no-explicit-any)', 'export const x: any = 1;'],
  ['cli/src/bang.ts', 'typescript(no-non-null-assertion)', 'export const x = [1].at(0)!;'],
  ['cli/src/ignore.ts', 'typescript(ban-ts-comment)', '// @ts-ignore\nexport {};'],
  ['cli/src/expect.ts', 'typescript(ban-ts-comment)', '// @ts-expect-error: x\nexport {};'],
  ['cli/src/float.ts', 'typescript(no-floating-promises)', 'Promise.resolve();\nexport {};'],
  ['cli/src/misuse.ts', 'typescript(no-misused-promises)', 'if (Promise.resolve(1)) throw x;'],
  ['cli/src/switch.ts', 'typescript(switch-exhaustiveness-check)', INCOMPLETE_SWITCH],
  ['cli/src/round-a.ts', 'import(no-cycle)', "export type * from './round-b.ts';"],
  ['cli/src/round-b.ts', 'import(no-cycle)', "export type * from './round-a.ts';"],
  ['cli/src/default.ts', 'import(no-default-export)', 'export default 1;'],
  ['cli/src/console.ts', 'eslint(no-console)', "console.log('x');"],
  ['cli/src/notKebab.ts', 'unicorn(filename-case)', 'export {};'],
  ['cli/src/builtin.ts', 'unicorn(prefer-node-protocol)', "import 'fs';"],
  ['cli/src/long-file.ts', 'eslint(max-lines)', LONG_FILE],
  ['cli/src/long-function.ts', 'eslint(max-lines-per-function)', LONG_FUNCTION],
  ['cli/src/four-parameters.ts', 'eslint(max-params)', FOUR_PARAMETERS],
  ['cli/src/bun.ts', 'eslint(no-restricted-globals)', "export const x = Bun.file('x');"],
  ['server/src/bun.ts', 'eslint(no-restricted-globals)', 'export const x = globalThis.Bun;'],
  ['server/src/env-1.ts', 'eslint(no-restricted-properties)', 'export const x = process.env;'],
  ['server/src/env-2.ts', 'eslint(no-restricted-properties)', 'export const { env } = process;'],
  ['server/src/runtime/env.ts', 'eslint(no-restricted-properties)', 'export const x = Bun.env;'],
  ['web/src/alt.tsx', 'jsx-a11y(alt-text)', 'export const x = <img src="x" />;'],
  ['web/src/key.tsx', 'react(jsx-key)', 'export const x = [1].map(() => <b />);'],
  ['web/src/any.tsx', 'typescript(no-explicit-any)', 'export const x: any = <b />;'],
];

/** Allowed code, which no rule may report. */
const ALLOWED: readonly (readonly [path: string, source: string])[] = [
  ['cli/src/process-env.ts', 'export const x = process.env;'],
  ['server/test/process-env.ts', 'export const x = [Bun.env, process.env];'],
  ['server/src/runtime/bun.ts', "export const x = Bun.file('x');"],
  ['../scripts/bun.ts', "export const x = Bun.file('x');"],
  ['cli/src/await.test.ts', AWAITED_MATCHER],
  ['cli/src/spread.test.ts', "export const x = [...['a'], ...['b']];"],
  ['cli/src/sort.test.ts', 'export const x = [200, 429].toSorted();'],
  ['cli/src/code-points.ts', "export const x = [...'añ🐈'];"],
  ['server/src/long.test.ts', LONG_FUNCTION + FOUR_PARAMETERS + LONG_FILE],
  ['testing/src/long.ts', LONG_FUNCTION + FOUR_PARAMETERS + LONG_FILE],
  ['server/src/ports/bus/long.contract.ts', LONG_FUNCTION + FOUR_PARAMETERS + LONG_FILE],
];

interface FolderCase {
  readonly path: string;
  readonly refused: readonly string[];
  readonly allowed: readonly string[];
}

/** Which modules a file at `path` may not import, and which similar ones it may. */
const FOLDERS: readonly FolderCase[] = [
  {
    path: 'protocol/src/x.ts',
    refused: ['node:fs', 'bun', 'bun:sqlite', 'kysely', '@hearth/server', '../../cli/src/x.ts'],
    allowed: ['zod', './text.ts'],
  },
  {
    path: 'server/src/x.ts',
    refused: [
      'bun',
      'bun:ffi',
      'node:process',
      '@hearth/cli',
      '@hearth/web',
      './ports/bus/memory.ts',
    ],
    allowed: [
      '@hearth/protocol',
      'node:path',
      './ports/bus/bus.ts',
      './features/talk/lobby/routes.ts',
    ],
  },
  {
    path: 'server/src/components/gateway/x.ts',
    refused: ['bun', '../../ports/bus/memory.ts', '../../../../cli/src/x.ts'],
    allowed: ['../../http/body.ts', '../../features/talk/lobby/routes.ts'],
  },
  {
    path: 'media/src/x.ts',
    refused: ['@hearth/protocol', '../../server/src/context.ts', 'bun', 'node:process'],
    allowed: ['./strip/plan.ts', 'node:fs', 'file-type'],
  },
  {
    path: 'server/src/lib/x.ts',
    refused: ['../context.ts', '../../src/context.ts', '@hearth/protocol', 'bun'],
    allowed: ['./error-code.ts', 'node:fs', '../../package.json'],
  },
  {
    path: 'server/src/http/x.ts',
    refused: ['../features/talk/lobby/create-message.ts', '../components/rest/rest.ts', 'bun'],
    allowed: ['../ports/limiter/limiter.ts', '../context.ts'],
  },
  {
    path: 'server/src/features/talk/lobby/x.ts',
    refused: [
      '@hearth/testing/until',
      '../../../../testing/src/until.ts',
      'kysely',
      'bun',
      'bun:sqlite',
      '@hearth/cli',
      '../../http/body.ts',
      '../../components/rest/rest.ts',
      '../../ports/database/sqlite.ts',
      '../../ports/limiter/memory.ts',
      '../../ports/blobs/disk.ts',
    ],
    allowed: [
      '../../ports/bus/bus.ts',
      '../../context.ts',
      './store.ts',
      '../uploads/find-upload.ts',
    ],
  },
  {
    path: 'server/src/features/talk/lobby/routes.ts',
    refused: [
      'kysely',
      'bun',
      '@hearth/web',
      '../../ports/bus/bus.ts',
      '../../ports/bus/memory.ts',
      '../../components/rest/rest.ts',
    ],
    allowed: ['../../http/body.ts', './create-message.ts'],
  },
  {
    path: 'server/src/features/talk/lobby/store.ts',
    refused: [
      'bun:sqlite',
      '../../http/body.ts',
      '../../components/rest/rest.ts',
      '../../ports/database/sqlite.ts',
    ],
    allowed: ['kysely', '../../ports/database/tables.ts'],
  },
  {
    path: 'server/src/ports/bus/x.ts',
    refused: ['./memory.ts', '../database/sqlite.ts', 'bun:sqlite', '@hearth/cli'],
    allowed: ['./bus.ts', '../../runtime/sqlite.ts', 'kysely'],
  },
  {
    path: 'server/src/instance.ts',
    refused: ['bun', '@hearth/cli'],
    allowed: ['./ports/bus/memory.ts', './ports/database/sqlite.ts'],
  },
  {
    path: 'server/src/runtime/x.ts',
    refused: ['../ports/bus/memory.ts', '@hearth/cli', 'node:process'],
    allowed: ['bun', 'bun:sqlite'],
  },
  {
    path: 'sdk/src/x.ts',
    refused: ['@hearth/server', '../../server/src/x.ts', '@hearth/testing/until'],
    allowed: [],
  },
  { path: 'web/src/x.ts', refused: ['@hearth/server', 'bun'], allowed: ['@hearth/sdk'] },
  {
    path: 'web/src/lib/x.ts',
    refused: ['../text/texts.ts', '@hearth/server', 'bun'],
    allowed: ['./clean-up.ts', 'preact'],
  },
  {
    path: 'web/src/ui/x.ts',
    refused: [
      '../app/router.ts',
      '../conversation/author.ts',
      '../settings/name.ts',
      '@hearth/server',
      'bun',
    ],
    allowed: ['./icons.tsx', '../text/use-text.ts', '../lib/clean-up.ts'],
  },
  {
    path: 'web/src/text/x.ts',
    refused: ['../conversation/describe-error.ts', '../instance/instance.ts'],
    allowed: ['./formats.ts', '../lib/required-context.ts'],
  },
  {
    path: 'web/src/settings/x.ts',
    refused: ['../app/router.ts', '../conversation/author.ts', '../lobby/lobby-source.ts'],
    allowed: ['../ui/dialog.tsx', '../text/use-text.ts'],
  },
  {
    path: 'web/src/conversation/list/x.ts',
    refused: ['../../app/router.ts', '../../lobby/lobby-source.ts', '@hearth/server', 'bun'],
    allowed: ['../use-conversation.ts', '../../settings/use-settings.ts', '../../ui/icons.tsx'],
  },
  {
    path: 'web/src/channels/x.tsx',
    refused: ['../posts/posts.ts', '../app/views/posts.ts', '../settings/name.ts', 'bun'],
    allowed: ['../communities/paths.ts', '../conversation/author.ts', '../lib/views.ts'],
  },
  {
    path: 'web/src/posts/list/x.tsx',
    refused: ['../../app/router.ts', '../../lobby/lobby-source.ts', '@hearth/server'],
    allowed: ['../post/post-page.tsx', '../../communities/paths.ts', '../votes.ts'],
  },
  {
    path: 'web/src/lobby/x.ts',
    refused: ['../app/router.ts', '@hearth/server'],
    allowed: ['../conversation/conversation.ts', '@hearth/sdk'],
  },
  {
    path: 'cli/src/x.ts',
    refused: ['bun', '../../server/src/ports/bus/memory.ts'],
    allowed: ['node:process', '@hearth/server', './parse.ts'],
  },
  {
    path: 'cli/src/chat/x.ts',
    refused: ['bun', '@hearth/server'],
    allowed: ['node:process', '@hearth/sdk', '../text.ts'],
  },
  {
    path: '../scripts/x.ts',
    refused: ['@hearth/cli', '../packages/server/src/ports/bus/memory.ts'],
    allowed: ['bun', '@hearth/server'],
  },
  {
    path: 'server/src/features/talk/lobby/x.test.ts',
    refused: [],
    allowed: [
      '@hearth/testing/until',
      'bun:test',
      '../../ports/bus/memory.ts',
      '../uploads/store.ts',
    ],
  },
  {
    path: 'testing/src/servers/x.ts',
    refused: [],
    allowed: ['bun', '../../../server/src/ports/bus/memory.ts'],
  },
  {
    path: 'server/src/ports/bus/bus.contract.ts',
    refused: [],
    allowed: ['bun:test', './memory.ts'],
  },
];

interface Diagnostic {
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

let tree = '';
let diagnostics: readonly Diagnostic[] = [];

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'hearth-lint-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
  cpSync(join(ROOT, 'tsconfig.json'), join(tree, 'tsconfig.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const [path, , source] of REFUSED) write(path, source);
  for (const [path, source] of ALLOWED) write(path, source);
  for (const { path, refused, allowed } of FOLDERS) {
    write(path, [...refused, ...allowed].map((module) => `import '${module}';\n`).join(''));
  }
  const oxlint = join(ROOT, 'node_modules', '.bin', 'oxlint');
  const { stdout } = Bun.spawnSync(
    [oxlint, '--type-aware', '--format=json', 'packages', 'scripts'],
    { cwd: tree, timeout: 50_000 },
  );
  const report: { diagnostics: readonly Diagnostic[] } = JSON.parse(stdout.toString());
  diagnostics = report.diagnostics;
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

function write(path: string, source: string): void {
  const file = join(tree, 'packages', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
}

function reported(path: string): readonly Diagnostic[] {
  return diagnostics.filter(({ filename }) => filename === join('packages', path));
}

test.each(REFUSED)('%s breaks %s', (path, rule) => {
  expect(reported(path).map(({ code }) => code)).toContain(rule);
});

test.each(ALLOWED)('%s does not break any rule', (path) => {
  expect(reported(path)).toEqual([]);
});

test.each(FOLDERS)(
  '$path may not import modules that its folder forbids',
  ({ path, refused, allowed }) => {
    const modules = [...refused, ...allowed];
    const found = reported(path)
      .filter(({ code }) => code === 'eslint(no-restricted-imports)')
      .map(({ labels }) => modules[(labels[0]?.span.line ?? 0) - 1]);
    expect(new Set(found)).toEqual(new Set(refused));
  },
);

test('the compiler refuses an enum, for which oxlint has no rule', () => {
  write('cli/src/enum.ts', 'export enum X {\n  A,\n}\n');
  write(
    '../tsconfig.enum.json',
    '{ "extends": "./tsconfig.json", "include": ["packages/cli/src/enum.ts"] }',
  );
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { stdout } = Bun.spawnSync([tsc, '--project', 'tsconfig.enum.json'], {
    cwd: tree,
  });
  expect(stdout.toString()).toContain('erasableSyntaxOnly');
});
