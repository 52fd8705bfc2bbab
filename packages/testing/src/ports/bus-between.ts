import type { Bus } from '../../../server/src/ports/bus/bus.ts';
import { Recorder } from './bus-recorder.ts';

type PublishNext = Bus['publishNext'];

/** A bus whose numbered publications go through `publishNext`, as soon as `follower` follows it. */
export function busBetween(
  publishNext: (bus: Bus, ...given: Parameters<PublishNext>) => ReturnType<PublishNext> = (
    bus,
    ...given
  ) => bus.publishNext(...given),
) {
  const follower = new Recorder();
  const wrap = (bus: Bus): Bus => {
    const subscribed = bus.subscribe(follower);
    return {
      publish: (publication) => bus.publish(publication),
      append: (event) => bus.append(event),
      appendOnce: (event, key) => bus.appendOnce(event, key),
      async publishNext(...given) {
        await subscribed;
        return publishNext(bus, ...given);
      },
      subscribe: (other) => bus.subscribe(other),
      [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
    };
  };
  return { follower, wrap };
}
