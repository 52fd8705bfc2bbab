export { VARIANTS_BUCKET, Variants } from './variants.ts';
