import {
  blobsAddress,
  COMPONENT_NAMES,
  componentList,
  digits,
  secret,
  serverUrl,
} from './engine-types.ts';
import { addressRanges, host, port, portOrOff } from './network-types.ts';
import { option, optional } from './option.ts';
import { oneOf, path } from './value-types.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How grave a fault or an event must be to be logged; `silent` logs nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The variables that say what this process is. */
export const PROCESS_OPTIONS = {
  INSTANCE_CONF: option({
    as: 'instanceFile',
    type: path,
    default: './instance.toml',
    about: 'Instance file; one that is named here has to exist',
  }),
  DATA_DIR: option({
    as: 'dataDir',
    type: path,
    default: './data',
    about: 'Directory of everything that the instance stores, made when it is missing',
  }),
  HOST: option({
    as: 'host',
    type: host,
    default: '127.0.0.1',
    about:
      'Address to listen on; 127.0.0.1 serves this machine only, so containers and public instances want 0.0.0.0 or ::',
  }),
  OPRISH_PORT: option({
    as: 'restPort',
    type: port,
    default: '7159',
    about: 'Port of the REST service',
  }),
  PANDEMONIUM_PORT: option({
    as: 'gatewayPort',
    type: port,
    default: '7160',
    about: 'Port of the gateway',
  }),
  EFFIS_PORT: option({
    as: 'filesPort',
    type: port,
    default: '7161',
    about: 'Port of the file service',
  }),
  WEB_PORT: option({
    as: 'webPort',
    type: portOrOff,
    default: '7162',
    about:
      'Port of the web client; an instance that was not told one does without the client where the port is in use',
  }),
  TRUSTED_PROXIES: optional({
    as: 'trustedProxies',
    type: addressRanges,
    fallback: [],
    fallbackName: 'none',
    example: '127.0.0.1,::1',
    about:
      'Proxies that are believed about who the client is: what CF-Connecting-IP says, else X-Real-IP, else ' +
      'X-Forwarded-For. A proxy has to set or remove those before the one it uses, or clients name themselves',
  }),
  COMPONENTS: option({
    as: 'components',
    type: componentList,
    default: COMPONENT_NAMES.join(','),
    about:
      'What this process runs; several processes make one instance where they share DATABASE_URL and REDIS_URL',
  }),
  LOG_LEVEL: option({
    as: 'logLevel',
    type: oneOf(LOG_LEVELS),
    default: 'info',
    about: 'How grave an entry has to be to be logged; silent logs none',
  }),
};

/** The variables that say which servers the instance uses. */
export const ENGINE_OPTIONS = {
  DATABASE_URL: optional({
    as: 'databaseUrl',
    type: serverUrl(['postgres', 'postgresql'], 'postgres://user:password@host:5432/hearth'),
    fallback: undefined,
    fallbackName: 'the embedded database in DATA_DIR',
    example: 'postgres://hearth:password@127.0.0.1:5432/hearth',
    about: 'PostgreSQL, 14 or newer, in place of the embedded database',
  }),
  REDIS_URL: optional({
    as: 'redisUrl',
    type: serverUrl(['redis', 'rediss'], 'redis://:password@host:6379/0'),
    fallback: undefined,
    fallbackName: 'none, one process is the whole instance',
    example: 'redis://127.0.0.1:6379/0',
    about: 'Redis, 7 or newer, or Valkey, by which the processes of one instance work together',
  }),
  BLOBS_URL: optional({
    as: 'blobsAddress',
    type: blobsAddress,
    fallback: undefined,
    fallbackName: 'the folder blobs in DATA_DIR',
    example: 's3://bucket?endpoint=http://127.0.0.1:8333&region=us-east-1',
    about: 'S3-compatible storage in place of the folder of files',
  }),
  AWS_ACCESS_KEY_ID: optional({
    as: 'accessKeyId',
    type: secret,
    fallback: undefined,
    fallbackName: 'none',
    example: 'hearth',
    about: 'Who the instance is to the storage of BLOBS_URL',
  }),
  AWS_SECRET_ACCESS_KEY: optional({
    as: 'secretAccessKey',
    type: secret,
    fallback: undefined,
    fallbackName: 'none',
    example: 'secret',
    about: 'The secret of AWS_ACCESS_KEY_ID',
  }),
  AWS_SESSION_TOKEN: optional({
    as: 'sessionToken',
    type: secret,
    fallback: undefined,
    fallbackName: 'none',
    example: 'token',
    about: 'What goes with keys that are valid for a while',
  }),
  AWS_REGION: option({
    as: 'region',
    type: secret,
    default: 'us-east-1',
    about: 'The region of BLOBS_URL where that names none',
  }),
  CONNECT_TIMEOUT: option({
    as: 'connectTimeoutSeconds',
    type: digits(1, 3_600),
    default: '30',
    about: 'For how many seconds a start tries to reach what the three addresses name',
  }),
};

/** Every environment variable that Hearth reads. */
export const ENVIRONMENT_OPTIONS = { ...PROCESS_OPTIONS, ...ENGINE_OPTIONS };

/** The variables with the components' ports, the web client's among them. */
export const PORT_VARIABLES = {
  rest: 'OPRISH_PORT',
  gateway: 'PANDEMONIUM_PORT',
  files: 'EFFIS_PORT',
  web: 'WEB_PORT',
} as const satisfies Readonly<Record<string, keyof typeof PROCESS_OPTIONS>>;
