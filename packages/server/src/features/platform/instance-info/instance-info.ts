import { instanceVersion, type InstanceInfo } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { ServiceContext } from '../../../context.ts';
import { HEARTH_VERSION } from '../../../lib/version.ts';

/** The information that clients get about the instance (REST service rule 1). */
export function describeInstance(ctx: ServiceContext, _actor: Actor): InstanceInfo {
  const { settings, addresses } = ctx;
  return {
    instance_name: settings.instanceName,
    description: settings.description,
    version: instanceVersion(HEARTH_VERSION),
    message_limit: settings.rest.messageLimit,
    oprish_url: addresses.rest,
    pandemonium_url: addresses.gateway,
    effis_url: addresses.files,
    file_size: settings.files.assetSizeBytes,
    attachment_file_size: settings.files.attachmentSizeBytes,
  };
}
