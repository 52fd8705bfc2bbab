/** Counts turns of the event loop until it is stopped: others run in each of them. */
export function countTurns(): { stop(): number } {
  let turns = 0;
  const next = () => {
    turns += 1;
    waiting = setImmediate(next);
  };
  let waiting = setImmediate(next);
  return {
    stop() {
      clearImmediate(waiting);
      return turns;
    },
  };
}
