export type { HasCapabilityParts } from './describe-capabilities.ts';
