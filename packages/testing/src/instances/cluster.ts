import { startTestInstance, type TestInstance, type TestInstanceOptions } from './test-instance.ts';

/** The environment that all processes of an instance share. */
export type SharedEnvironment = Readonly<Record<string, string>>;

/** The number of processes that an instance has of each component, and the settings of all of them. */
export interface ClusterPlan extends Pick<TestInstanceOptions, 'toml' | 'clock'> {
  readonly rests?: number;
  readonly gateways?: number;
  readonly files?: number;
}

type Component = 'rest' | 'gateway' | 'files';

/** An instance of several processes, each with one component. Here they run in one process, but share only the servers. */
export class Cluster implements AsyncDisposable {
  readonly #environment: SharedEnvironment;
  readonly #plan: ClusterPlan;
  readonly #members = new Map<Component, TestInstance[]>();

  private constructor(environment: SharedEnvironment, plan: ClusterPlan) {
    this.#environment = environment;
    this.#plan = plan;
  }

  /** Starts all processes at once, as after a power cut. */
  static async start(environment: SharedEnvironment, plan: ClusterPlan = {}): Promise<Cluster> {
    const cluster = new Cluster(environment, plan);
    const { rests = 2, gateways = 2, files = 0 } = plan;
    const wanted = [
      ...Array<Component>(rests).fill('rest'),
      ...Array<Component>(gateways).fill('gateway'),
      ...Array<Component>(files).fill('files'),
    ];
    const started = await Promise.allSettled(wanted.map((component) => cluster.add(component)));
    const failed = started.find((result) => result.status === 'rejected');
    if (failed === undefined) return cluster;
    await cluster[Symbol.asyncDispose]();
    throw failed.reason;
  }

  /** Starts one more process. */
  async add(component: Component): Promise<TestInstance> {
    const { toml, clock } = this.#plan;
    const member = await startTestInstance({
      ...(toml === undefined ? {} : { toml }),
      ...(clock === undefined ? {} : { clock }),
      env: { ...this.#environment, COMPONENTS: component },
    });
    this.#members.set(component, [...(this.#members.get(component) ?? []), member]);
    return member;
  }

  /** Stops a process cleanly. */
  async remove(component: Component, index: number): Promise<void> {
    const members = this.#members.get(component) ?? [];
    await members[index]?.[Symbol.asyncDispose]();
    this.#members.set(component, members.toSpliced(index, 1));
  }

  /** The instance, addressed through these processes. */
  at({ rest = 0, gateway = 0, files = 0 } = {}): Pick<TestInstance, 'addresses'> {
    return {
      addresses: {
        rest: this.#address('rest', rest),
        gateway: this.#address('gateway', gateway),
        files: this.#address('files', files),
      },
    };
  }

  /** Stops all processes at once. */
  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#members.values()].flat();
    this.#members.clear();
    await Promise.all(all.map((member) => member[Symbol.asyncDispose]()));
  }

  #address(component: Component, index: number): string {
    return (
      this.#members.get(component)?.[index]?.addresses[component] ?? `no ${component} ${index}`
    );
  }
}
