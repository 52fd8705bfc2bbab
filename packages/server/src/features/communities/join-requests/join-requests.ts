export { dropRequest } from './drop-request.ts';
