// What the commands that talk to an instance do, with the library that they do it through. It is loaded when one of
// them runs, as a bundle of its own, so that nothing of it is in a start.
export { chat } from './chat.ts';
export { send } from './send.ts';
export { tail } from './tail.ts';
export { upload } from './upload.ts';
