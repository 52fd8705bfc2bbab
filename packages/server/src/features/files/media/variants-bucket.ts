/** The bucket of variants. No address leads to it, and uploads to it are refused. */
export const VARIANTS_BUCKET = 'variants';
