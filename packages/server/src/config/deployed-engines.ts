import type { BlobsAddress } from './blobs-url.ts';
import { COMPONENT_NAMES, type ComponentName } from './engine-types.ts';
import type { ENGINE_OPTIONS } from './environment-options.ts';
import type { OptionValues } from './option.ts';

/** The credentials of the instance for S3-compatible storage. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** The storage in which an instance keeps its files, if not in a folder. */
export interface BlobsStore extends BlobsAddress {
  readonly region: string;
  readonly credentials: S3Credentials;
}

/** The server through which the instance sends mail, and the sender. */
export interface MailRoute {
  readonly url: string;
  readonly from: string;
}

export type EngineVariables = OptionValues<typeof ENGINE_OPTIONS>;

/** The components that need what each other keep, so that all of them together make one instance. */
const COUPLED = COMPONENT_NAMES.filter((name) => name !== 'web');

/**
 * The servers that the variables name, undefined for embedded engines and if there is no mail, and how long a start tries
 * to reach them.
 */
export function deployedEngines(variables: EngineVariables) {
  const { databaseUrl, redisUrl, connectTimeoutSeconds } = variables;
  const connectTimeoutMs = connectTimeoutSeconds * 1_000;
  const [blobs, mail] = [blobsStore(variables), mailRoute(variables)];
  return { databaseUrl, redisUrl, blobs, mail, connectTimeoutMs };
}

/** One line for every combination that cannot work. It begins with the variable that would fix it. */
export function impossibleEngines(
  components: readonly ComponentName[],
  variables: EngineVariables,
): readonly string[] {
  return [
    ...missingEngines(components, variables),
    ...missingKeys(variables),
    ...missingSender(variables),
  ];
}

/** One line for every variable that has no effect because another one is missing. It begins with the variable. */
export function unusedVariables({ smtpUrl, mailFrom }: EngineVariables): readonly string[] {
  if (smtpUrl !== undefined || mailFrom === undefined) return [];
  return ['MAIL_FROM: has no effect without SMTP_URL, so the instance sends no mail'];
}

function mailRoute({ smtpUrl, mailFrom }: EngineVariables): MailRoute | undefined {
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  return { url: smtpUrl, from: mailFrom };
}

function blobsStore(variables: EngineVariables): BlobsStore | undefined {
  const { blobsAddress, accessKeyId = '', secretAccessKey = '', sessionToken } = variables;
  if (blobsAddress === undefined) return undefined;
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  return { ...blobsAddress, region: blobsAddress.region ?? variables.region, credentials };
}

function missingEngines(
  components: readonly ComponentName[],
  { databaseUrl, redisUrl }: EngineVariables,
): readonly string[] {
  if (redisUrl !== undefined && databaseUrl === undefined) {
    return ['DATABASE_URL: expected with REDIS_URL: processes that share Redis share a database'];
  }
  const coupled = COUPLED.filter((name) => components.includes(name));
  if (coupled.length === COUPLED.length) return [];
  // The web client serves less without them.
  if (coupled.length === 0 && databaseUrl === undefined) return [];
  const others = COUPLED.filter((name) => !coupled.includes(name)).join(' and ');
  return missing({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }).map(
    (name) => `${name}: expected if COMPONENTS leaves ${others} to other processes`,
  );
}

function missingKeys({
  blobsAddress,
  accessKeyId,
  secretAccessKey,
}: EngineVariables): readonly string[] {
  if (blobsAddress === undefined) return [];
  return missing({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }).map(
    (name) => `${name}: expected with BLOBS_URL`,
  );
}

function missingSender({ smtpUrl, mailFrom }: EngineVariables): readonly string[] {
  if (smtpUrl === undefined || mailFrom !== undefined) return [];
  return ['MAIL_FROM: expected with SMTP_URL'];
}

function missing(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(variables).filter((name) => variables[name] === undefined);
}
