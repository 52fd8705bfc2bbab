import type { InstanceInfo } from '@hearth/sdk';
import { instanceInfoSchema } from '@hearth/protocol/schemas';
import type { LazyViews } from '../lib/views.ts';
import { reachedInstance, type ReachedInstance } from './own-services.ts';

/** The description of the instance in the page, and how the page reaches it. */
export async function readInstance(views: LazyViews): Promise<ReachedInstance> {
  const json = document.querySelector('#own-services')?.textContent ?? '';
  return reachedInstance(await readInstanceInfo(views), { base: document.baseURI, json });
}

/** The description in the page; if the page has none, it is requested again as JSON. */
async function readInstanceInfo(views: LazyViews): Promise<InstanceInfo> {
  const embedded = parse(document.querySelector('#instance-info')?.textContent ?? '');
  if (embedded !== undefined) return embedded;
  const { requestInstanceInfo } = await views.load('later', { isOptional: true });
  return requestInstanceInfo(new URL('./', document.baseURI));
}

function parse(json: string): InstanceInfo | undefined {
  try {
    return instanceInfoSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
