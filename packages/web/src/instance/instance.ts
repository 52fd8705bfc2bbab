import { computed, type ReadonlySignal } from '@preact/signals';
import type { Client, InstanceInfo, InstanceRateLimits } from '@hearth/sdk';

/** The instance that the page belongs to. */
export interface Instance {
  readonly info: InstanceInfo;
  /** What it offers beside the documented interface; nothing until it has been asked. */
  readonly features: ReadonlySignal<readonly string[]>;
  /** Its rate limits, as it lists them. Throws the errors of the SDK. */
  rateLimits(options: { readonly signal: AbortSignal }): Promise<InstanceRateLimits>;
}

/** What views may know about the instance of `client`; `connection` changes after it has been asked. */
export function instanceOf(client: Client, connection: ReadonlySignal<unknown>): Instance {
  const { info, rest } = client;
  const features = computed(() => {
    void connection.value;
    return client.capabilities?.features ?? [];
  });
  return { info, features, rateLimits: (options) => rest.rateLimits(options) };
}
