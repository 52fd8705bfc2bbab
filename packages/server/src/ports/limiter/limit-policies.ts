import type { FileRateLimit, RateLimit } from '@hearth/protocol';
import type { InstanceSettings } from '../../config/config.ts';
import type { LimitPolicies, LimitPolicy } from './limiter.ts';

/** The limits of the instance file as the limiter's rules. `assets` limits nothing over HTTP. */
export function limitPolicies({ rest, gateway, files }: InstanceSettings): LimitPolicies {
  return {
    info: policy(rest.limits.info),
    message_create: policy(rest.limits.message_create),
    message_list: policy(rest.limits.message_list),
    rate_limits: policy(rest.limits.rate_limits),
    gateway: policy(gateway.limit),
    attachments: filePolicy(files.limits.attachments),
    fetch_file: policy(files.limits.fetch_file),
  };
}

function policy({ reset_after, limit }: RateLimit): LimitPolicy {
  return { resetAfterMs: reset_after * 1000, limit };
}

function filePolicy(limit: FileRateLimit): LimitPolicy {
  return { ...policy(limit), byteLimit: limit.file_size_limit };
}
