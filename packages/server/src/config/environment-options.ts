import { addressRanges, host, port, portOrOff } from './network-types.ts';
import { option, optional } from './option.ts';
import { oneOf, path } from './value-types.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How grave a fault or an event must be to be logged; `silent` logs nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every environment variable that Hearth reads. */
export const ENVIRONMENT_OPTIONS = {
  INSTANCE_CONF: option({
    type: path,
    default: './instance.toml',
    about: 'Instance file; one that is named here has to exist',
  }),
  DATA_DIR: option({
    type: path,
    default: './data',
    about: 'Directory of everything that the instance stores, made when it is missing',
  }),
  HOST: option({
    type: host,
    default: '127.0.0.1',
    about:
      'Address to listen on; 127.0.0.1 serves this machine only, so containers and public instances want 0.0.0.0 or ::',
  }),
  OPRISH_PORT: option({ type: port, default: '7159', about: 'Port of the REST service' }),
  PANDEMONIUM_PORT: option({ type: port, default: '7160', about: 'Port of the gateway' }),
  EFFIS_PORT: option({ type: port, default: '7161', about: 'Port of the file service' }),
  WEB_PORT: option({
    type: portOrOff,
    default: '7162',
    about:
      'Port of the web client; an instance that was not told one does without the client where the port is in use',
  }),
  TRUSTED_PROXIES: optional({
    type: addressRanges,
    fallback: [],
    fallbackName: 'none',
    example: '127.0.0.1,::1',
    about:
      'Proxies that are believed about who the client is: what CF-Connecting-IP says, else X-Real-IP, else ' +
      'X-Forwarded-For. A proxy has to set or remove those before the one it uses, or clients name themselves',
  }),
  LOG_LEVEL: option({
    type: oneOf(LOG_LEVELS),
    default: 'info',
    about: 'How grave an entry has to be to be logged; silent logs none',
  }),
};

/** The variables with the components' ports, the web client's among them. */
export const PORT_VARIABLES = {
  rest: 'OPRISH_PORT',
  gateway: 'PANDEMONIUM_PORT',
  files: 'EFFIS_PORT',
  web: 'WEB_PORT',
} as const satisfies Readonly<Record<string, keyof typeof ENVIRONMENT_OPTIONS>>;
