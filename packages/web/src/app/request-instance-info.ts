import { connectLight, type InstanceInfo } from '@hearth/sdk';

/** Asks the instance at an address what it is. Loaded on use. */
export async function requestInstanceInfo(url: URL): Promise<InstanceInfo> {
  await using client = await connectLight(url);
  return client.info;
}
