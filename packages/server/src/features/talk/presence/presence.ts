export type { Presences } from './presences.ts';
