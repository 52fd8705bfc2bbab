export { addStatic } from './add-static.ts';
export { listStatics } from './list-statics.ts';
export { removeStatic } from './remove-static.ts';
export type { StaticFile } from './store.ts';
