import type { GatewayFeatures } from '../../gateway-host.ts';
import type { ClientResolver } from '../../http/client-address.ts';
import type { SocketLimits } from '../../runtime/descriptor-limit.ts';
import type { ConnectionSocket } from './connection.ts';
import type { Hub } from './hub.ts';

export interface GatewayOptions {
  readonly hostname: string;
  readonly port: number;
  readonly clientOf: ClientResolver;
  readonly limits: SocketLimits;
  /** The features that it runs. */
  readonly features: GatewayFeatures;
  /** Lets new clients follow streams. For tests: no client can ask for streams by name yet. */
  readonly onOpen?: (socket: ConnectionSocket, hub: Hub) => void;
}
