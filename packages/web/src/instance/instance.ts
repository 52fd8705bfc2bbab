import type { Client, InstanceInfo, InstanceRateLimits } from '@hearth/sdk';

/** The instance that the page belongs to. */
export interface Instance {
  readonly info: InstanceInfo;
  /** Its rate limits, as it lists them. Throws the errors of the SDK. */
  rateLimits(options: { readonly signal: AbortSignal }): Promise<InstanceRateLimits>;
}

/** What views may know about the instance of `client`. */
export function instanceOf({ info, rest }: Pick<Client, 'info' | 'rest'>): Instance {
  return { info, rateLimits: (options) => rest.rateLimits(options) };
}
