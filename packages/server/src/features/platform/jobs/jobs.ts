export { addJob } from './add-job.ts';
export { ElsewhereError, JobFailedError, sweep, type Attempt, type JobKind } from './job-kind.ts';
export { JobRunner } from './job-runner.ts';
export { listJobs } from './list-jobs.ts';
export { removeJob } from './remove-job.ts';
export { retryJob } from './retry-job.ts';
export type { StoredJob } from './store.ts';
