import type { BlobsAddress } from './blobs-url.ts';
import { COMPONENT_NAMES, type ComponentName } from './engine-types.ts';

/** Who the instance is to S3-compatible storage. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Where an instance keeps its files, if not in a folder. */
export interface BlobsStore extends BlobsAddress {
  readonly region: string;
  readonly credentials: S3Credentials;
}

/** The servers that an instance uses; what is undefined is embedded in its one process. */
export interface DeployedEngines {
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly blobs: BlobsStore | undefined;
  /** How long a start tries to reach them. */
  readonly connectTimeoutMs: number;
}

/** The variables that say which engines there are, as they were read. */
export interface EngineVariables {
  readonly COMPONENTS: readonly ComponentName[];
  readonly DATABASE_URL: string | undefined;
  readonly REDIS_URL: string | undefined;
  readonly BLOBS_URL: BlobsAddress | undefined;
  readonly AWS_ACCESS_KEY_ID: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY: string | undefined;
  readonly AWS_SESSION_TOKEN: string | undefined;
  readonly AWS_REGION: string;
  readonly CONNECT_TIMEOUT: number;
}

/** The components that make one instance together: each of them needs what the others keep. */
const COUPLED = COMPONENT_NAMES.filter((name) => name !== 'web');

/** What the variables say. */
export function deployedEngines(variables: EngineVariables): DeployedEngines {
  const { BLOBS_URL: address, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = variables;
  const credentials = {
    accessKeyId: AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: variables.AWS_SESSION_TOKEN,
  };
  return {
    databaseUrl: variables.DATABASE_URL,
    redisUrl: variables.REDIS_URL,
    blobs:
      address === undefined
        ? undefined
        : { ...address, region: address.region ?? variables.AWS_REGION, credentials },
    connectTimeoutMs: variables.CONNECT_TIMEOUT * 1_000,
  };
}

/** One line for every combination that cannot work, beginning with the variable that would mend it. */
export function impossibleEngines(variables: EngineVariables): readonly string[] {
  return [...missingEngines(variables), ...missingKeys(variables)];
}

function missingEngines({
  COMPONENTS,
  DATABASE_URL,
  REDIS_URL,
}: EngineVariables): readonly string[] {
  if (REDIS_URL !== undefined && DATABASE_URL === undefined) {
    return ['DATABASE_URL: expected with REDIS_URL: processes that share Redis share a database'];
  }
  const coupled = COUPLED.filter((name) => COMPONENTS.includes(name));
  if (coupled.length === 0 || coupled.length === COUPLED.length) return [];
  const others = COUPLED.filter((name) => !coupled.includes(name)).join(' and ');
  return missing({ DATABASE_URL, REDIS_URL }).map(
    (name) => `${name}: expected where COMPONENTS leaves ${others} to other processes`,
  );
}

function missingKeys(variables: EngineVariables): readonly string[] {
  if (variables.BLOBS_URL === undefined) return [];
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = variables;
  return missing({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }).map(
    (name) => `${name}: expected with BLOBS_URL`,
  );
}

function missing(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(variables).filter((name) => variables[name] === undefined);
}
