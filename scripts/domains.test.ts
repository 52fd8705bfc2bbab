import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The domains of the server; each imports only itself and those before it. */
const DOMAINS = [
  'platform',
  'accounts',
  'files',
  'communities',
  'talk',
  'forum',
  'search',
  'publishing',
  'operation',
];

const SERVER = join(import.meta.dirname, '..', 'packages/server/src');
const IMPORT = /^(?:import|export)\b[^;']*?'(\.[^']+)';|\bimport\('(\.[^']+)'\)/gm;

interface Import {
  readonly from: string;
  readonly to: string;
}

const { stdout } = Bun.spawnSync(['git', 'ls-files', '*.ts'], { cwd: SERVER });
const files = stdout.toString().trim().split('\n');
const imports = files.filter((file) => !isOfTests(file)).flatMap(importsOf);

function isOfTests(file: string): boolean {
  return /\.(?:test|contract)\.ts$|-test\.ts$/.test(file);
}

function importsOf(from: string): readonly Import[] {
  const text = readFileSync(join(SERVER, from), 'utf8');
  return Array.from(text.matchAll(IMPORT), ([, path, loaded]) => {
    return { from, to: join(from, '..', path ?? loaded ?? '') };
  });
}

/** The domain and the folder of a file of a feature. */
function placeOf(file: string): { readonly domain: string; readonly feature: string } | undefined {
  const [, domain, noun] = /^features\/([^/]+)\/([^/]+)\//.exec(file) ?? [];
  if (domain === undefined || noun === undefined) return undefined;
  return { domain, feature: `${domain}/${noun}` };
}

/** The imports that reach a domain after their own. */
function upwards(all: readonly Import[]): readonly string[] {
  return all.flatMap(({ from, to }) => {
    const [own, other] = [placeOf(from), placeOf(to)];
    if (own === undefined || other === undefined) return [];
    const isUp = DOMAINS.indexOf(other.domain) > DOMAINS.indexOf(own.domain);
    return isUp ? [`${from} imports ${to}`] : [];
  });
}

/** Features that import each other, directly or through others, each with one way around. */
function circles(all: readonly Import[]): readonly string[] {
  const imported = new Map<string, Set<string>>();
  for (const { from, to } of all) {
    const [own, other] = [placeOf(from)?.feature, placeOf(to)?.feature];
    if (own === undefined || other === undefined || own === other) continue;
    imported.getOrInsertComputed(own, () => new Set()).add(other);
  }
  return [...imported.keys()].flatMap((feature) => {
    const way = wayBack(imported, feature);
    return way === undefined ? [] : [way.join(' > ')];
  });
}

/** The shortest way from a feature back to itself. */
function wayBack(
  imported: ReadonlyMap<string, ReadonlySet<string>>,
  feature: string,
): readonly string[] | undefined {
  const seen = new Set<string>();
  let ways: readonly (readonly string[])[] = [[feature]];
  while (ways.length > 0) {
    const longer = ways.flatMap((way) =>
      [...(imported.get(way.at(-1) ?? '') ?? [])].map((next) => [...way, next]),
    );
    const back = longer.find((way) => way.at(-1) === feature);
    if (back !== undefined) return back;
    ways = longer.filter((way) => {
      const end = way.at(-1) ?? '';
      return !seen.has(end) && seen.add(end);
    });
  }
  return undefined;
}

/** The imports of ports that reach more than helpers, the log, and the runtime. */
function beyondPorts(all: readonly Import[]): readonly string[] {
  return all.flatMap(({ from, to }) =>
    from.startsWith('ports/') && !/^(?:ports|lib|log|runtime)\//.test(to)
      ? [`${from} imports ${to}`]
      : [],
  );
}

test('every feature is in a domain', () => {
  const features = files.filter((file) => file.startsWith('features/'));
  expect(features.length).toBeGreaterThan(800);
  expect(features.filter((file) => !DOMAINS.includes(placeOf(file)?.domain ?? ''))).toEqual([]);
});

test('a domain imports only itself and those before it', () => {
  expect(upwards(imports)).toEqual([]);
});

test('the ports know no feature, and nothing of the root', () => {
  expect(imports.filter(({ from }) => from.startsWith('ports/')).length).toBeGreaterThan(200);
  expect(beyondPorts(imports)).toEqual([]);
});

test('the gateway imports no feature: it is given what features decide', () => {
  const gateway = imports.filter(({ from }) => from.startsWith('components/gateway/'));
  expect(gateway.length).toBeGreaterThan(80);
  expect(gateway.filter(({ to }) => placeOf(to) !== undefined)).toEqual([]);
});

test('no features import each other in a circle', () => {
  expect(circles(imports)).toEqual([]);
});

test('no feature imports a list, or a file of the root that imports features', () => {
  const isOfRoot = (file: string) => !file.includes('/') || isList(file);
  const above = new Set(
    imports.flatMap(({ from, to }) => (isOfRoot(from) && placeOf(to) !== undefined ? [from] : [])),
  );
  expect(above).toContain('schema.ts');
  expect(above).toContain('lists/erasers.ts');
  const importing = imports.filter(({ from, to }) => placeOf(from) !== undefined && above.has(to));
  expect(importing).toEqual([]);
});

/** Returns whether a file is a list of what features do for others. */
function isList(file: string): boolean {
  return file.startsWith('lists/');
}

/** Returns whether a file is the one of its feature that others may import. */
function isPublic(file: string): boolean {
  const feature = placeOf(file)?.feature ?? '';
  return file === `features/${feature}/${feature.split('/')[1]}.ts`;
}

/** The imports of what lies inside a feature, from outside. */
function inner(all: readonly Import[]): readonly string[] {
  return all.flatMap(({ from, to }) => {
    const [own, other] = [placeOf(from)?.feature, placeOf(to)?.feature];
    if (other === undefined || own === other || isPublic(to) || isList(from)) return [];
    const isWiring = own === undefined && /\/(?:routes|tables)\.ts$/.test(to);
    return isWiring ? [] : [`${from} imports ${to}`];
  });
}

test('others import only the public file of a feature', () => {
  expect(files.filter(isList).length).toBeGreaterThan(15);
  expect(inner(imports)).toEqual([]);
});

test('only the public file of a feature exports what other files declare', () => {
  const forwarding = files.filter(
    (file) =>
      placeOf(file) !== undefined &&
      !isPublic(file) &&
      /^export [^;']*? from '/m.test(readFileSync(join(SERVER, file), 'utf8')),
  );
  expect(forwarding).toEqual([]);
});

test('an import of a later domain, of an inner file, by a port, and a circle of features are found', () => {
  const [users, sessions, posts] = ['accounts/users', 'accounts/sessions', 'forum/posts'].map(
    (feature) => `features/${feature}/a.ts`,
  ) as [string, string, string];
  const up = { from: users, to: posts };
  expect(upwards([up, { from: posts, to: users }])).toEqual([`${users} imports ${posts}`]);
  const [bus, clock] = ['ports/bus/bus.ts', 'lib/clock.ts'];
  expect(beyondPorts([posts, clock, bus, 'context.ts'].map((to) => ({ from: bus, to })))).toEqual([
    `${bus} imports ${posts}`,
    `${bus} imports context.ts`,
  ]);
  const around = [
    { from: users, to: sessions },
    { from: sessions, to: users },
    { from: posts, to: users },
  ];
  const store = 'features/forum/posts/store.ts';
  const routes = 'features/forum/posts/routes.ts';
  const noun = 'features/forum/posts/posts.ts';
  const toPosts = [store, routes, noun].map((to) => ({ from: users, to }));
  expect(inner([...toPosts, { from: 'components/rest/rest.ts', to: routes }])).toEqual([
    `${users} imports ${store}`,
    `${users} imports ${routes}`,
  ]);
  expect(circles(around)).toEqual([
    'accounts/users > accounts/sessions > accounts/users',
    'accounts/sessions > accounts/users > accounts/sessions',
  ]);
});
