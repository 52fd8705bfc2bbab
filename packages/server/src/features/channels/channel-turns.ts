// How other features take a place in the order of a channel.
export { lockChannel, setLastId, takeNumberOf, takeNumberOfNewest, touchChannel } from './store.ts';
