import {
  blobsAddress,
  COMPONENT_NAMES,
  componentList,
  digits,
  mailbox,
  secret,
  serverUrl,
} from './engine-types.ts';
import { addressRanges, host, port, portOrOff } from './network-types.ts';
import { option, optional } from './option.ts';
import { oneOf, path } from './value-types.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The lowest level that is logged; `silent` logs nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The variables that describe this process. */
export const PROCESS_OPTIONS = {
  INSTANCE_CONF: option({
    as: 'instanceFile',
    type: path,
    default: './instance.toml',
    about: 'Instance file; it must exist if this is set',
  }),
  DATA_DIR: option({
    as: 'dataDir',
    type: path,
    default: './data',
    about: 'Directory for everything that the instance stores; it is created if it is missing',
  }),
  HOST: option({
    as: 'host',
    type: host,
    default: '127.0.0.1',
    about:
      'Address to listen on; 127.0.0.1 serves only this machine, so containers and public instances need 0.0.0.0 or ::',
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
      'Port of the web client; if this is not set and the port is in use, the instance runs without the web client',
  }),
  TRUSTED_PROXIES: optional({
    as: 'trustedProxies',
    type: addressRanges,
    fallback: [],
    fallbackName: 'none',
    example: '127.0.0.1,::1',
    about:
      'Proxies whose headers identify the client: CF-Connecting-IP, else X-Real-IP, else ' +
      'X-Forwarded-For. A proxy must set or remove the headers before the one it uses, or clients can fake their address',
  }),
  TOKEN_KEY_FILE: optional({
    as: 'tokenKeyFile',
    type: path,
    fallback: undefined,
    fallbackName: 'the database',
    example: '/etc/hearth/token-keys.json',
    about:
      'File with the keys that sign the tokens of accounts, which only its owner may read; "hearth keys rotate" makes it',
  }),
  COMPONENTS: option({
    as: 'components',
    type: componentList,
    default: COMPONENT_NAMES.join(','),
    about:
      'Components that this process runs; processes that share DATABASE_URL and REDIS_URL form one instance',
  }),
  LOG_LEVEL: option({
    as: 'logLevel',
    type: oneOf(LOG_LEVELS),
    default: 'info',
    about: 'Lowest level that is logged; silent logs nothing',
  }),
};

/** The variables that name the servers of the instance. */
export const ENGINE_OPTIONS = {
  DATABASE_URL: optional({
    as: 'databaseUrl',
    type: serverUrl(['postgres', 'postgresql'], 'postgres://user:password@host:5432/hearth'),
    fallback: undefined,
    fallbackName: 'the embedded database in DATA_DIR',
    example: 'postgres://hearth:password@127.0.0.1:5432/hearth',
    about: 'PostgreSQL 14 or newer, instead of the embedded database',
  }),
  REDIS_URL: optional({
    as: 'redisUrl',
    type: serverUrl(['redis', 'rediss'], 'redis://:password@host:6379/0'),
    fallback: undefined,
    fallbackName: 'none, one process is the whole instance',
    example: 'redis://127.0.0.1:6379/0',
    about: 'Redis 7 or newer, or Valkey, through which the processes of one instance work together',
  }),
  BLOBS_URL: optional({
    as: 'blobsAddress',
    type: blobsAddress,
    fallback: undefined,
    fallbackName: 'the folder blobs in DATA_DIR',
    example: 's3://bucket?endpoint=http://127.0.0.1:8333&region=us-east-1',
    about: 'S3-compatible storage, instead of the folder of files',
  }),
  AWS_ACCESS_KEY_ID: optional({
    as: 'accessKeyId',
    type: secret,
    fallback: undefined,
    fallbackName: 'none',
    example: 'hearth',
    about: 'Access key for the storage of BLOBS_URL',
  }),
  AWS_SECRET_ACCESS_KEY: optional({
    as: 'secretAccessKey',
    type: secret,
    fallback: undefined,
    fallbackName: 'none',
    example: 'secret',
    about: 'Secret key that belongs to AWS_ACCESS_KEY_ID',
  }),
  AWS_SESSION_TOKEN: optional({
    as: 'sessionToken',
    type: secret,
    fallback: undefined,
    fallbackName: 'none',
    example: 'token',
    about: 'Session token, if the keys are temporary',
  }),
  AWS_REGION: option({
    as: 'region',
    type: secret,
    default: 'us-east-1',
    about: 'Region of BLOBS_URL, if that does not name one',
  }),
  SMTP_URL: optional({
    as: 'smtpUrl',
    type: serverUrl(['smtp', 'smtps'], 'smtp://user:password@host:587'),
    fallback: undefined,
    fallbackName: 'none, the instance sends no mail',
    example: 'smtp://hearth:password@mail.example.org:587',
    about:
      'Server through which the REST service sends mail, such as codes for forgotten passwords; smtps:// for TLS from the first byte',
  }),
  MAIL_FROM: optional({
    as: 'mailFrom',
    type: mailbox,
    fallback: undefined,
    fallbackName: 'none',
    example: 'Hearth <hearth@chat.example.org>',
    about: 'Sender of the mail that goes through SMTP_URL',
  }),
  CONNECT_TIMEOUT: option({
    as: 'connectTimeoutSeconds',
    type: digits(1, 3_600),
    default: '30',
    about: 'How many seconds a start tries to reach the database, Redis and the storage',
  }),
};

/** Every environment variable that Hearth reads. */
export const ENVIRONMENT_OPTIONS = { ...PROCESS_OPTIONS, ...ENGINE_OPTIONS };

/** The variables with the ports of the components, including the web client. */
export const PORT_VARIABLES = {
  rest: 'OPRISH_PORT',
  gateway: 'PANDEMONIUM_PORT',
  files: 'EFFIS_PORT',
  web: 'WEB_PORT',
} as const satisfies Readonly<Record<string, keyof typeof PROCESS_OPTIONS>>;
