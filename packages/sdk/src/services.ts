import type { InstanceInfo } from '@hearth/protocol';
import { AccessCode } from './access-code.ts';
import { Api } from './api.ts';
import { Abilities } from './capabilities.ts';
import { Credentials, mayCarrySecrets } from './credentials.ts';
import { Http } from './http.ts';
import type { Session } from './session.ts';
import type { TokenSource } from './token-source.ts';
import { addressesOf, type Addresses } from './urls.ts';

/** The addresses at which a client reaches the services of its instance. */
export interface Services {
  /** The addresses at which the client reaches them. */
  readonly addresses: Addresses;
  /** The addresses that the instance publishes. */
  readonly published: Addresses;
  readonly abilities: Abilities;
  readonly accessCode: AccessCode;
  /** The access code for the gateway, which is none if it must not be sent there. */
  readonly gatewayCode: AccessCode;
  /** Undefined if the gateway must not get a token. */
  readonly gatewayTokens: TokenSource | undefined;
  readonly http: Http;
  readonly api: Api;
}

/** The services of an instance. Throws TypeError if an address in `info` is not valid. */
export function servicesOf(info: InstanceInfo, session: Session): Services {
  const { options, clock, life, tokens, anonymousHttp, requests } = session;
  const published = addressesOf(info);
  const addresses = { ...published, ...options.addresses };
  const { secrets: scope = addresses.rest.startsWith('https:') ? 'secure' : 'any' } = session;
  const abilities = new Abilities({
    api: new Api(anonymousHttp, addresses.rest),
    version: info.version,
    known: options.capabilities,
    clock,
    life: life.signal,
  });
  const accessCode = new AccessCode(options.accessCode, abilities);
  const isGatewaySafe = mayCarrySecrets(addresses.gateway, scope);
  const gatewayCode = isGatewaySafe ? accessCode : new AccessCode(undefined, abilities);
  const gatewayTokens = isGatewaySafe ? tokens : undefined;
  const http = new Http({
    ...requests,
    credentials: new Credentials({ tokens, accessCode, scope }),
  });
  const api = new Api(http, addresses.rest);
  const gateway = { gatewayCode, gatewayTokens };
  return { addresses, published, abilities, accessCode, ...gateway, http, api };
}
