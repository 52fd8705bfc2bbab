import { tempFolder } from '@hearth/testing/temp-folder';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import * as schemas from '../packages/protocol/src/schemas.ts';
import { withoutUnused } from './without-unused.ts';

const SOURCES = join(import.meta.dirname, '../packages/protocol/src');

/** The names of the schemas among values, with what the schemas find wrong with an empty object. */
function findings(values: object): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === null || typeof value !== 'object' || !('safeParse' in value)) return [];
    if (typeof value.safeParse !== 'function') return [];
    const { error }: { readonly error?: object } = value.safeParse({});
    const issues: unknown = error === undefined ? [] : Reflect.get(error, 'issues');
    return [`${name}: ${paths(issues)}`];
  });
}

function paths(issues: unknown): string {
  return JSON.stringify(issues, (key, value: unknown) => (key === 'message' ? undefined : value));
}

test('[WC398] every schema of the protocol finds the same without what is left out of the schema library', async () => {
  await using folder = await tempFolder();
  const names = ['schemas', 'received', 'received-communities', 'received-posts'];
  const { outputs } = await Bun.build({
    entrypoints: names.map((name) => join(SOURCES, `${name}.ts`)),
    outdir: folder.path,
    target: 'browser',
    plugins: [withoutUnused()],
  });
  const [built = {}] = await Promise.all(
    outputs.map(async ({ path }): Promise<object> => import(path)),
  );
  expect(findings(schemas).length).toBeGreaterThan(100);
  expect(findings(built).toSorted()).toEqual(findings(schemas).toSorted());
});
