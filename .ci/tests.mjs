// Runs a package script of tests once, and lists what failed. No test is repeated: one that fails once is a defect of the test
// or of the product.
// Usage: node .ci/tests.mjs FOLDER SCRIPT BUN...
// Writes four files to FOLDER: `passed`, `failed` and `skipped`, each with a number, and `report`, with text. Exits with 0
// if no test failed.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTestLog } from './test-log.mjs';

const MOST_REPORTED_LINES = 80;

const [folder, script, ...bun] = process.argv.slice(2);
const report = [];
const { code, text } = await run([...bun, 'run', script]);
const log = readTestLog(text);
for (const { file, title, lines } of log.failures) note(`failed in ${file}: ${title}`, lines);
const counts = count();
mkdirSync(folder, { recursive: true });
for (const [name, number] of Object.entries(counts))
  writeFileSync(join(folder, name), `${number}\n`);
writeFileSync(join(folder, 'report'), report.map((line) => `${line}\n`).join(''));
process.exitCode = counts.failed === 0 ? 0 : 1;

function count() {
  const found = log.failures.length;
  if (log.totals === undefined) {
    note(
      `The tests did not come to their end; the last file was ${log.lastFile}:`,
      text.trimEnd().split('\n'),
    );
    return { passed: log.passed, failed: found + 1, skipped: 0 };
  }
  // Neither a failure that the runner did not print nor one that it did not count is lost.
  const failed = Math.max(log.totals.failed, found);
  // If the runner failed for any other reason, that counts as a failure.
  const isBroken = failed === 0 && (log.totals.passed === 0 || code !== 0);
  if (isBroken) note(`The tests ended with exit code ${code}.`, []);
  return { ...log.totals, failed: isBroken ? 1 : failed };
}

/** Runs a command to its end and passes its output on. */
function run(command) {
  return new Promise((resolve, reject) => {
    // One pipe for both outputs keeps their order.
    const child = spawn('bash', ['-c', 'exec "$@" 2>&1', 'bash', ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => {
      chunks.push(chunk);
      process.stdout.write(chunk);
    });
    child.once('error', reject);
    child.once('close', (exitCode) => {
      resolve({ code: exitCode, text: Buffer.concat(chunks).toString() });
    });
  });
}

function note(heading, lines) {
  report.push('', heading);
  if (lines.length > MOST_REPORTED_LINES)
    report.push(`(the last ${MOST_REPORTED_LINES} of ${lines.length} lines)`);
  report.push(...lines.slice(-MOST_REPORTED_LINES));
}
