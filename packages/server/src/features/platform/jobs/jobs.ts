export {
  addJob,
  ElsewhereError,
  JobFailedError,
  sweep,
  type Attempt,
  type JobKind,
} from './job-kind.ts';
export { JobRunner } from './job-runner.ts';
export { listJobs, removeJob, retryJob } from './manage-jobs.ts';
export type { StoredJob } from './store.ts';
