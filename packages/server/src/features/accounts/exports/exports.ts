export type { ArchivedFile, ExportPart } from './export-part.ts';
export { listed } from './listed.ts';
