import { findBox, readBoxes } from '../boxes.ts';
import { DamagedContent, type FileWindow } from '../file-window.ts';
import { KEPT_IN_MOVIE } from './kept-boxes.ts';
import { planOf, type Edit, type Plan } from './plan.ts';
import { editsOf } from './strip-boxes.ts';

/**
 * Empties user data, metadata, unknown boxes, padding, and tracks of measurements, and clears times. Nothing moves,
 * because other boxes refer to places in the file.
 */
export async function stripMovie(file: FileWindow): Promise<Plan> {
  const edits: Edit[] = [];
  let hasMovie = false;
  for await (const box of readBoxes(file, { start: 0, end: file.sizeBytes }, 'cut')) {
    // Not one whose boxes are compressed: as they are unknown, nothing of it would be left.
    hasMovie ||= box.type === 'moov' && (await findBox(file, box, 'trak')) !== undefined;
    edits.push(...(await editsOf(file, box, KEPT_IN_MOVIE)));
  }
  if (!hasMovie) throw new DamagedContent('no movie');
  return planOf(edits, file.sizeBytes);
}
