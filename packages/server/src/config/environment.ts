import { resolve } from 'node:path';
import {
  deployedEngines,
  impossibleEngines,
  unusedVariables,
  type EngineVariables,
} from './deployed-engines.ts';
import type { ComponentName } from './engine-types.ts';
import { ENGINE_OPTIONS, PORT_VARIABLES, PROCESS_OPTIONS } from './environment-options.ts';
import type { OptionTree, OptionValues } from './option.ts';
import { readOptions } from './read-options.ts';
import { formatPath } from './wording.ts';

/** Environment variables, as a process gets them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The deployment of this process, from the environment. */
export type Deployment = Readonly<ReturnType<typeof deploymentOf>>;

export interface EnvironmentReading {
  /** Complete; an invalid variable has its default here. */
  readonly deployment: Deployment;
  /** The path of the instance file as the owner wrote it. */
  readonly instanceFileShownAs: string;
  /** One line for every mistake, beginning with the name of the variable. */
  readonly mistakes: readonly string[];
  /** One line for every valid variable that has no effect, beginning with its name. */
  readonly warnings: readonly string[];
}

/**
 * Reads the variables of {@link PROCESS_OPTIONS} and {@link ENGINE_OPTIONS}. An empty variable counts as not set.
 * Relative paths start at `workingDir`.
 */
export function readEnvironment(env: Environment, workingDir: string): EnvironmentReading {
  const own = readOptions(PROCESS_OPTIONS, givenOf(PROCESS_OPTIONS, env));
  const engines = readOptions(ENGINE_OPTIONS, givenOf(ENGINE_OPTIONS, env));
  const mistakes = [...own.mistakes, ...engines.mistakes];
  const deployment = deploymentOf({ own: own.value, engines: engines.value, env, workingDir });
  const { components, webPort, webPortGiven, instanceFileGiven } = deployment;
  const mistaken = new Set(mistakes.map(({ path }) => path[0]));
  // The web client is skipped on a port conflict if its port was not set.
  const ports = components.flatMap((component) => {
    const name = PORT_VARIABLES[component];
    const port = deployment[`${component}Port`];
    const isOptional = component === 'web' && !webPortGiven;
    return port === 'off' || isOptional || mistaken.has(name) ? [] : [{ name, port }];
  });
  return {
    deployment,
    instanceFileShownAs: instanceFileGiven ? own.value.instanceFile : 'instance.toml',
    mistakes: [
      ...mistakes.map(({ path, problem }) => `${formatPath(path)}: ${problem}`),
      ...sharedPorts(ports),
      ...nothingToRun(components, webPort),
      ...(mistakes.length === 0 ? impossibleEngines(components, engines.value) : []),
    ],
    warnings: mistaken.has('SMTP_URL') ? [] : unusedVariables(engines.value),
  };
}

interface Variables {
  readonly own: OptionValues<typeof PROCESS_OPTIONS>;
  readonly engines: EngineVariables;
  readonly env: Environment;
  readonly workingDir: string;
}

function deploymentOf({ own, engines, env, workingDir }: Variables) {
  return {
    ...own,
    instanceFile: resolve(workingDir, own.instanceFile),
    dataDir: resolve(workingDir, own.dataDir),
    tokenKeyFile:
      own.tokenKeyFile === undefined ? undefined : resolve(workingDir, own.tokenKeyFile),
    /** An instance file is only created at the default path. */
    instanceFileGiven: isGiven('INSTANCE_CONF', env),
    /** If the port was not set, an instance starts even if it is in use. */
    webPortGiven: isGiven(PORT_VARIABLES.web, env),
    engines: deployedEngines(engines),
  };
}

function givenOf(options: OptionTree, env: Environment): Readonly<Record<string, unknown>> {
  const names = Object.keys(options).filter((name) => isGiven(name, env));
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

function isGiven(name: string, env: Environment): boolean {
  return env[name] !== undefined && env[name] !== '';
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
      return `${names}: expected a different port for each, got ${port} for ${sharers.length} of them`;
    });
}
