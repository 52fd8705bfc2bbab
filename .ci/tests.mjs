// Runs a package script of tests, and then repeats the files that had failures, each alone. A file that passes this time
// is reported as flaky and does not count as failed. See docs/decisions/2026-11-22-repeated-tests.md.
// Usage: node .ci/tests.mjs FOLDER SCRIPT BUN...
// Writes four files to FOLDER: `passed`, `failed` and `skipped`, each with a number, and `report`, with text. Exits with 0
// if no test failed.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTestLog } from './test-log.mjs';

// If more files fail, something is broken rather than flaky.
const MOST_REPEATED_FILES = 5;
const REPEAT_TEST_TIMEOUT_MS = 240_000;
const REPEAT_FILE_TIMEOUT_MS = 15 * 60_000;
const MOST_REPORTED_LINES = 80;

const [folder, script, ...bun] = process.argv.slice(2);
const report = [];
const first = await run([...bun, 'run', script]);
const { files, nobodys, totals } = readTestLog(first.text);
const counts = totals === undefined ? countsOfBrokenOff() : await countsAfterRepeats();
// If the runner failed for any other reason, that counts as one more failure.
if (counts.failed === 0 && (counts.passed === 0 || (first.code !== 0 && report.length === 0))) {
  note(`The tests ended with exit code ${first.code}.`);
  counts.failed = 1;
}
mkdirSync(folder, { recursive: true });
for (const [name, count] of Object.entries(counts)) writeFileSync(join(folder, name), `${count}\n`);
writeFileSync(join(folder, 'report'), report.map((line) => `${line}\n`).join(''));
process.exitCode = counts.failed === 0 ? 0 : 1;

function countsOfBrokenOff() {
  noteEnd(
    `The tests did not come to their end; the last file was ${[...files.keys()].at(-1) ?? 'none'}:`,
    first.text,
  );
  const all = [...files.values()];
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failures }) => sum + failures.length, 1),
    skipped: 0,
  };
}

async function countsAfterRepeats() {
  const broken = [...files].filter(([, { failures }]) => failures.length > 0);
  const isRepeated = broken.length <= MOST_REPEATED_FILES;
  const found = broken.reduce((sum, [, { failures }]) => sum + failures.length, 0);
  // A failure that the runner counted but did not print remains a failure.
  const sum = { ...totals, failed: Math.max(0, totals.failed - found) };
  for (const [name, { passed, failures }] of broken) {
    noteFailures(`failed in ${name}`, failures);
    const last = isRepeated ? await repeatFile(name) : { passed, failed: failures.length };
    sum.passed += last.passed - passed;
    sum.failed += last.failed;
  }
  noteFailures('failed in no file that is known', nobodys);
  if (!isRepeated) note('', `${broken.length} files had failures: none was repeated.`);
  return sum;
}

async function repeatFile(name) {
  console.log(`\n--- again: ${name}`);
  const { code, text } = await run(
    [...bun, 'test', '--timeout', String(REPEAT_TEST_TIMEOUT_MS), `./${name}`],
    REPEAT_FILE_TIMEOUT_MS,
  );
  const { files: repeated, totals: counted } = readTestLog(text);
  if (code === 0 && counted !== undefined && counted.passed > 0 && counted.failed === 0) {
    note('', `flaky: passed when repeated: ${name}`);
    return counted;
  }
  for (const { failures } of repeated.values()) noteFailures(`failed again in ${name}`, failures);
  if (counted === undefined) noteEnd(`${name} did not come to its end when repeated:`, text);
  return { passed: counted?.passed ?? 0, failed: Math.max(counted?.failed ?? 0, 1) };
}

/** Runs a command to its end and passes its output on. */
function run(command, timeoutMs) {
  return new Promise((resolve, reject) => {
    // One pipe for both outputs keeps their order. A process group can be ended with everything that it started.
    const child = spawn('bash', ['-c', 'exec "$@" 2>&1', 'bash', ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: timeoutMs !== undefined,
    });
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => process.kill(-child.pid, 'SIGKILL'), timeoutMs);
    const chunks = [];
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk);
      process.stdout.write(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, text: Buffer.concat(chunks).toString() });
    });
  });
}

function note(...lines) {
  report.push(...lines);
}

function noteEnd(heading, text) {
  note('', heading, ...text.trimEnd().split('\n').slice(-MOST_REPORTED_LINES));
}

function noteFailures(heading, failures) {
  for (const { title, lines } of failures) {
    note('', `${heading}: ${title}`);
    if (lines.length > MOST_REPORTED_LINES)
      note(`(the last ${MOST_REPORTED_LINES} of ${lines.length} lines)`);
    note(...lines.slice(-MOST_REPORTED_LINES));
  }
}
