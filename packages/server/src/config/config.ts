import type { RateLimitValues } from '@hearth/protocol';
import type { Deployment } from './environment.ts';
import type { InstanceSettings } from './instance-options.ts';

export type { Deployment, InstanceSettings };

/** The number of the lobby's messages that are kept, and of days for which they are; 0 messages keeps none. */
export type HistoryBounds = InstanceSettings['rest']['history'];

/** All limits of the instance file by their names. */
export function rateLimitsOf({ rest, gateway, files }: InstanceSettings): RateLimitValues {
  return { ...rest.limits, gateway: gateway.limit, ...files.limits };
}

/** Everything that an owner can set, validated and complete. */
export interface Config {
  readonly settings: InstanceSettings;
  readonly deployment: Deployment;
}
