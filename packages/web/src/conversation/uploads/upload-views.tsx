import { PickedFiles } from './picked-files.tsx';
import { UploadingList } from './uploading-list.tsx';

/** The files that are on their way, and those that were picked. Loaded on use. */
export function UploadViews() {
  return (
    <>
      <UploadingList />
      <PickedFiles />
    </>
  );
}
