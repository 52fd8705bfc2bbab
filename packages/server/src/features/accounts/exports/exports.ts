export { listFile, type ArchivedFile, type ExportPart } from './export-part.ts';
