import { expect, test } from 'bun:test';
import { named } from '@hearth/testing/instances/named';
import { parseInstanceFile } from './instance-file.ts';

const mistakesOf = (toml: string) => {
  const file = parseInstanceFile(named(`[web]\n${toml}`), 'f');
  return file.state === 'mistaken' ? file.mistakes : [];
};

test.each([
  ['api_path = "/files"', 'f: web.files_path: '],
  ['files_path = "/gateway/files"', 'f: web.files_path: '],
  ['gateway_path = "/api"\nfiles_path = "/api/x"', 'f: web.gateway_path: '],
])('[CF14] paths of which one contains another are a mistake: %s', (toml, start) => {
  expect(mistakesOf(toml)[0]).toStartWith(`${start}expected a path that is not in `);
});

test('[CF14] paths that only begin alike are no mistake', () => {
  expect(mistakesOf('api_path = "/file"\nfiles_path = "/files"')).toEqual([]);
});

test.each(['/', '', 'api', '/api/', '//api', '/a//b', '/../api', '/a b', '/a?b', '/%61', 7])(
  '[CF14] %p is no path of a component',
  (path) => {
    expect(mistakesOf(`api_path = ${JSON.stringify(path)}`)[0]).toStartWith(
      'f: web.api_path: expected a path such as /api, ',
    );
  },
);
