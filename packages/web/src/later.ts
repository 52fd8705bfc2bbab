// Views that are loaded on use, in one file: they share much.
import './first-load.ts';

export { MessageMenuView } from './conversation/actions/message-menu.tsx';
export { fileViews } from './conversation/attachments/file-views.ts';
export { Lightbox, PictureDialog } from './conversation/attachments/lightbox.tsx';
export { SearchPanel } from './conversation/search/search-panel.tsx';
export { PlaceDialog } from './app/place-dialog.tsx';
export { Shortcuts } from './app/shortcuts.tsx';
export { AccessCodeView } from './app/access-code-view.tsx';
export { requestInstanceInfo } from './app/request-instance-info.ts';
export { EmojiPicker } from './conversation/emoji/emoji-picker.tsx';
export { UploadViews } from './conversation/uploads/upload-views.tsx';
