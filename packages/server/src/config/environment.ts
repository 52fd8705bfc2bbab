import { resolve } from 'node:path';
import type { Deployment } from './config.ts';
import { deployedEngines, impossibleEngines } from './deployed-engines.ts';
import type { ComponentName } from './engine-types.ts';
import { ENVIRONMENT_OPTIONS, PORT_VARIABLES } from './environment-options.ts';
import { readOptions } from './read-options.ts';
import { formatPath } from './wording.ts';

/** Environment variables, as a process is given them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the environment says. */
export interface EnvironmentReading {
  /** Complete; a mistaken variable has its default here. */
  readonly deployment: Deployment;
  /** The path of the instance file as the owner wrote it. */
  readonly instanceFileShownAs: string;
  /** One line for every mistake, beginning with the variable. */
  readonly mistakes: readonly string[];
}

/** Reads the variables of {@link ENVIRONMENT_OPTIONS}; an empty one counts as not given. Paths begin at `workingDir`. */
export function readEnvironment(env: Environment, workingDir: string): EnvironmentReading {
  const given = Object.fromEntries(
    Object.keys(ENVIRONMENT_OPTIONS).flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const { value, mistakes } = readOptions(ENVIRONMENT_OPTIONS, given);
  const mistaken = new Set(mistakes.map(({ path }) => path[0]));
  const webPortGiven = PORT_VARIABLES.web in given;
  const components = value.COMPONENTS;
  // A web client that nobody asked for gives way.
  const ports = components.flatMap((component) => {
    const name = PORT_VARIABLES[component];
    const port = value[name];
    const isOptional = component === 'web' && !webPortGiven;
    return port === 'off' || isOptional || mistaken.has(name) ? [] : [{ name, port }];
  });
  const instanceFileGiven = 'INSTANCE_CONF' in given;
  return {
    deployment: {
      instanceFile: resolve(workingDir, value.INSTANCE_CONF),
      instanceFileGiven,
      dataDir: resolve(workingDir, value.DATA_DIR),
      host: value.HOST,
      restPort: value[PORT_VARIABLES.rest],
      gatewayPort: value[PORT_VARIABLES.gateway],
      filesPort: value[PORT_VARIABLES.files],
      webPort: value[PORT_VARIABLES.web],
      webPortGiven,
      trustedProxies: value.TRUSTED_PROXIES,
      components,
      engines: deployedEngines(value),
      logLevel: value.LOG_LEVEL,
    },
    instanceFileShownAs: instanceFileGiven ? value.INSTANCE_CONF : 'instance.toml',
    mistakes: [
      ...mistakes.map(({ path, problem }) => `${formatPath(path)}: ${problem}`),
      ...sharedPorts(ports),
      ...nothingToRun(components, value.WEB_PORT),
      ...(mistakes.length === 0 ? impossibleEngines(value) : []),
    ],
  };
}

function nothingToRun(components: readonly ComponentName[], webPort: number | 'off') {
  const isNothing = webPort === 'off' && components.every((component) => component === 'web');
  return isNothing ? ['COMPONENTS: expected more than web, because WEB_PORT is off'] : [];
}

function sharedPorts(ports: readonly { name: string; port: number }[]): readonly string[] {
  const byPort = Map.groupBy(ports, ({ port }) => port);
  return Array.from(byPort)
    .filter(([, sharers]) => sharers.length > 1)
    .map(([port, sharers]) => {
      const names = sharers.map(({ name }) => name).join(' and ');
      return `${names}: expected a port of its own for each, got ${port} for ${sharers.length} of them`;
    });
}
