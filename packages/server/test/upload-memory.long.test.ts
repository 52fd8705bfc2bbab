import { describe } from 'bun:test';
import { testUploadMemory } from './support/upload-memory.ts';

describe('[FS16] memory does not grow with the size of a file of 600 MB', () =>
  testUploadMemory(600));
