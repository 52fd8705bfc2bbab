import { connect, type InstanceInfo } from '@hearth/sdk';
import { instanceInfoSchema } from '@hearth/protocol/schemas';
import { reachedInstance, type ReachedInstance } from './own-services.ts';

/** The description of the instance in the page, and how the page reaches it. */
export async function readInstance(): Promise<ReachedInstance> {
  const json = document.querySelector('#own-services')?.textContent ?? '';
  return reachedInstance(await readInstanceInfo(), { base: document.baseURI, json });
}

/** The description in the page; if the page has none, it is requested again as JSON. */
async function readInstanceInfo(): Promise<InstanceInfo> {
  const embedded = parse(document.querySelector('#instance-info')?.textContent ?? '');
  if (embedded !== undefined) return embedded;
  const client = await connect(new URL('./', document.baseURI));
  await client.close();
  return client.info;
}

function parse(json: string): InstanceInfo | undefined {
  try {
    return instanceInfoSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
