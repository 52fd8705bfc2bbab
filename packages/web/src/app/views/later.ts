// Views that are loaded on use, in one file: they share much.
import '../../first-load.ts';

export { MessageMenuView } from '../../conversation/actions/message-menu.tsx';
export { AudioFile } from '../../conversation/attachments/audio-file.tsx';
export { Lightbox, PictureDialog } from '../../conversation/attachments/lightbox.tsx';
export { TextPreview } from '../../conversation/attachments/text-preview.tsx';
export { Video } from '../../conversation/attachments/video.tsx';
export { PlaceDialog } from '../place-dialog.tsx';
export { Shortcuts } from '../shortcuts.tsx';
export { AccessCodeView } from '../access-code-view.tsx';
export { requestInstanceInfo } from '../request-instance-info.ts';
export { EmojiPicker } from '../../conversation/emoji/emoji-picker.tsx';
export { UploadViews } from '../../conversation/uploads/upload-views.tsx';
