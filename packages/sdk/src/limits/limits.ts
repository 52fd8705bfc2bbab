import { RATE_LIMITS } from '@hearth/protocol';
import type { BucketName, LimitState } from '../types.ts';
import { Bucket, type BucketOptions, type LimitedTask } from './bucket.ts';

/** The time that requests wait for limits and busy places, and the number of those that may wait. */
export type LimitsOptions = Omit<BucketOptions, 'mostAtOnce' | 'onChange'>;

/** All limits of an instance that apply to requests, and the requests that wait for them. */
export class Limits {
  readonly #buckets = new Map<BucketName, Bucket>();
  readonly #reported = new Map<BucketName, string>();
  readonly #options: LimitsOptions;
  readonly #onChange: (bucket: BucketName, state: LimitState) => void;

  constructor(options: LimitsOptions, onChange: (bucket: BucketName, state: LimitState) => void) {
    this.#options = options;
    this.#onChange = onChange;
  }

  /** The known state of a limit. */
  state(name: BucketName): LimitState {
    return this.#bucket(name).state;
  }

  /** The result of `task`, once the limit `name` has let it through. */
  run<Value>(name: BucketName, task: LimitedTask<Value>): Promise<Value> {
    return this.#bucket(name).run(task);
  }

  #changed(name: BucketName, state: LimitState): void {
    const current = JSON.stringify(state);
    if (this.#reported.get(name) === current) return;
    this.#reported.set(name, current);
    this.#onChange(name, state);
  }

  #bucket(name: BucketName): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const bucket = new Bucket({
      ...this.#options,
      mostAtOnce: RATE_LIMITS[name].inFlight,
      onChange: (state) => this.#changed(name, state),
    });
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
