import type { OwnerContext } from '../../../server/src/instance.ts';
import { tempFolder } from '../temp-folder.ts';
import type { SharedEnvironment } from './cluster.ts';
import { openTestContext } from './test-context.ts';

/** The place of an instance's data: in a folder, or on servers. */
export type DataPlace = { readonly folder: string } | { readonly servers: SharedEnvironment };

/** Does something like an owner's command, beside an instance that may be running. */
export async function asOwner<Result>(
  place: DataPlace,
  work: (ctx: OwnerContext) => Promise<Result>,
): Promise<Result> {
  await using elsewhere = await tempFolder();
  const [folder, env] = 'folder' in place ? [place.folder, {}] : [elsewhere.path, place.servers];
  // Close it immediately, because a start waits for it.
  await using owner = await openTestContext({ folder }, env);
  return await work(owner);
}
