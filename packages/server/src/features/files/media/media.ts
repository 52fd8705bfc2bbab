export { VARIANTS_BUCKET } from './variants-bucket.ts';
export { Variants } from './variants.ts';
