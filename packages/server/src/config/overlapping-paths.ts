import type { InstanceSettings } from './instance-options.ts';
import type { Mistake } from './read-options.ts';
import { quote } from './wording.ts';

/** One mistake for each path of a component that is also, or is below, the path of an earlier one, or above it. */
export function overlappingPaths({ web }: Pick<InstanceSettings, 'web'>): readonly Mistake[] {
  const paths = [
    ['api_path', web.restPath],
    ['gateway_path', web.gatewayPath],
    ['files_path', web.filesPath],
  ] as const;
  return paths.flatMap(([key, path], index) => {
    const other = paths.slice(0, index).find(([, earlier]) => overlap(path, earlier));
    if (other === undefined) return [];
    const problem = `expected a path that is not in ${other[0]} and does not contain it, got ${quote(path)}`;
    return [{ path: ['web', key], problem }];
  });
}

function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}
