import { Cluster, type SharedEnvironment } from '@hearth/testing/instances/cluster';
import { startMemberProcess, type MemberProcess } from '@hearth/testing/instances/member-process';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import type { Choices } from './choices.ts';

const TOML = `registration = "open"\n${GENEROUS_LIMITS}`;

export type Kind = 'rest' | 'gateway';

/** The number of processes that an instance has of each kind. */
export type FleetSize = Readonly<Record<Kind, number>>;

/** The processes of an instance. */
export interface Fleet extends AsyncDisposable {
  /** The address of one of the processes that run. */
  address(kind: Kind, choices: Choices): string;
  /** Kills one of them, and starts it again. Resolves when it runs, or at once if no process may be killed. */
  kill(kind: Kind, choices: Choices): Promise<void>;
  /**
   * True if processes are killed. What a killed one did in the background is begun again within about a minute only.
   */
  readonly isKilled: boolean;
  /** Returns whether a request may be answered with a failure, because a server is away. */
  mayFail(): boolean;
}

/** Processes of their own, which are killed. While `mayFail`, a start that fails is repeated, as supervisors do. */
export async function killableFleet(
  environment: SharedEnvironment,
  size: FleetSize,
  mayFail = () => false,
): Promise<Fleet> {
  const running: Record<Kind, MemberProcess[]> = { rest: [], gateway: [] };
  const start = async (kind: Kind): Promise<void> => {
    const isForgiven = mayFail();
    try {
      const started = await startMemberProcess({ ...environment, COMPONENTS: kind }, TOML);
      running[kind].push(started);
    } catch (error) {
      if (!isForgiven && !mayFail()) throw error;
      await start(kind);
    }
  };
  const wanted = (['rest', 'gateway'] as const).flatMap((kind) =>
    Array.from({ length: size[kind] }, () => kind),
  );
  await Promise.all(wanted.map(start));
  return {
    address: (kind, choices) => choices.of(running[kind]).addresses[kind],
    async kill(kind, choices) {
      // One of each kind is left for those who are thrown out.
      if (running[kind].length < 2) return;
      const killed = choices.of(running[kind]);
      running[kind] = running[kind].filter((each) => each !== killed);
      await killed.kill();
      await start(kind);
    },
    isKilled: true,
    mayFail: () => false,
    async [Symbol.asyncDispose]() {
      await Promise.all(
        Object.values(running)
          .flat()
          .map((each) => each.kill()),
      );
    },
  };
}

/** Starts the fleet in this process, which costs less. Nothing is killed. */
export async function clusterFleet(
  environment: SharedEnvironment,
  size: FleetSize,
): Promise<Fleet> {
  const { rest: rests, gateway: gateways } = size;
  const cluster = await Cluster.start(environment, { rests, gateways, toml: TOML });
  return {
    address: (kind, choices) => cluster.at({ [kind]: choices.below(size[kind]) }).addresses[kind],
    async kill() {},
    isKilled: false,
    mayFail: () => false,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
