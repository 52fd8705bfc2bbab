import { connect, type InstanceInfo } from '@hearth/sdk';
import { instanceInfoSchema } from '@hearth/protocol/schemas';

/** What the page says of its instance; a page that says nothing is asked for it another time, as JSON. */
export async function readInstanceInfo(): Promise<InstanceInfo> {
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
