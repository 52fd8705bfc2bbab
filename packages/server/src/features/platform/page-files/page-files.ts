export { KeptPageFiles } from './find-page-file.ts';
export { keepPageFiles, type PageBuild } from './keep-page-files.ts';
