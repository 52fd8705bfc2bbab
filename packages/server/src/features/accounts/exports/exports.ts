export { type ArchivedFile, type ExportPart, listFile } from './export-part.ts';
