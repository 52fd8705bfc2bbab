import { test } from 'bun:test';
import { removeWhileUploading } from './support/remove-while-uploading.ts';

test('[OP14][OP15][OP11] the removal of an upload while its bytes are uploaded again harms none of the new uploads, however often', () =>
  removeWhileUploading(150));
