import type { FileRateLimit, RateLimit } from '@hearth/protocol';
import type { DeployedEngines } from './deployed-engines.ts';
import type { ComponentName } from './engine-types.ts';
import type { LogLevel } from './environment-options.ts';

/** How many of the lobby's messages are kept, and for how many days; 0 messages: none. */
export interface HistoryBounds {
  readonly messages: number;
  readonly days: number;
}

/** What is kept of the stream of events for clients that come back; whatever is reached first bounds it. */
export interface ReplayBounds {
  readonly events: number;
  readonly minutes: number;
  readonly bytes: number;
}

/** Behaviour, from the instance file. Keys inside limits are the wire's own; sizes are in bytes. */
export interface InstanceSettings {
  readonly instanceName: string;
  readonly description: string | null;
  readonly rest: {
    /** As configured, or undefined for the local address. */
    readonly url: string | undefined;
    readonly messageLimit: number;
    readonly limits: {
      readonly info: RateLimit;
      readonly message_create: RateLimit;
      readonly message_list: RateLimit;
      readonly rate_limits: RateLimit;
    };
    readonly history: HistoryBounds;
  };
  readonly gateway: {
    readonly url: string | undefined;
    readonly limit: RateLimit;
    /** Bytes that may wait for one slow socket before it is closed. */
    readonly sendBufferBytes: number;
    readonly replay: ReplayBounds;
  };
  readonly files: {
    readonly url: string | undefined;
    readonly assetSizeBytes: number;
    readonly attachmentSizeBytes: number;
    readonly limits: {
      readonly assets: FileRateLimit;
      readonly attachments: FileRateLimit;
      readonly fetch_file: RateLimit;
    };
  };
}

/** Deployment, from the environment. */
export interface Deployment {
  readonly instanceFile: string;
  /** Whether INSTANCE_CONF was given; only an instance file at the default place is written when missing. */
  readonly instanceFileGiven: boolean;
  readonly dataDir: string;
  readonly host: string;
  readonly restPort: number;
  readonly gatewayPort: number;
  readonly filesPort: number;
  /** `off`: the instance serves no web client. */
  readonly webPort: number | 'off';
  /** Whether WEB_PORT was given; only where it was not, an instance starts although the port is in use. */
  readonly webPortGiven: boolean;
  /** Addresses and CIDR ranges, each checked to be one. */
  readonly trustedProxies: readonly string[];
  /** What this process runs, in the order rest, gateway, files, web. */
  readonly components: readonly ComponentName[];
  readonly engines: DeployedEngines;
  readonly logLevel: LogLevel;
}

/** Everything an owner can set, checked and complete. */
export interface Config {
  readonly settings: InstanceSettings;
  readonly deployment: Deployment;
}
