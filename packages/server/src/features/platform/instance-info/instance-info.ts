export { describeInstance } from './describe-instance.ts';
