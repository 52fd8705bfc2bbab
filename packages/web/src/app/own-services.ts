import type { ClientOptions, InstanceInfo } from '@hearth/sdk';
import { ownServicesSchema, type OwnServices } from '@hearth/protocol/schemas';

/** An instance and how the page reaches it. */
export interface ReachedInstance {
  readonly info: InstanceInfo;
  readonly options: Pick<ClientOptions, 'addresses' | 'fileAddresses'>;
  /** Addresses of the file service: what a message names by one of them and does not list does not exist. */
  readonly listedAddresses: readonly string[];
  /** True if the instance needs its access code, as far as the page knows. */
  readonly isCodeNeeded: boolean;
}

/** The instance as the page at `base` reaches it; `json` is what the page says about services at its own origin. */
export function reachedInstance(
  info: InstanceInfo,
  { base, json }: { readonly base: string; readonly json: string },
): ReachedInstance {
  const own = parse(json);
  if (own === undefined) return { info, options: {}, listedAddresses: [], isCodeNeeded: false };
  const { paths, has_public_url, file_addresses, listed_addresses, access_code = false } = own;
  const at = (path: string) => new URL(path, base).href;
  const addresses = {
    ...(paths.rest === undefined ? {} : { rest: at(paths.rest) }),
    ...(paths.gateway === undefined ? {} : { gateway: at(paths.gateway).replace(/^http/, 'ws') }),
    ...(paths.files === undefined ? {} : { files: at(paths.files) }),
  };
  // Without a public address, the address at which the page was opened is the best one to give to others.
  const given = {
    oprish_url: addresses.rest ?? info.oprish_url,
    pandemonium_url: addresses.gateway ?? info.pandemonium_url,
    effis_url: addresses.files ?? info.effis_url,
  };
  return {
    info: has_public_url ? info : { ...info, ...given },
    options: { addresses, fileAddresses: file_addresses },
    listedAddresses: listed_addresses,
    isCodeNeeded: access_code,
  };
}

function parse(json: string): OwnServices | undefined {
  try {
    return ownServicesSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
