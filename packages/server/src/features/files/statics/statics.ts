export { addStatic, removeStatic } from './add-static.ts';
export { listStatics } from './list-statics.ts';
export type { StaticFile } from './store.ts';
