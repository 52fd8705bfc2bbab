import { reachesGoal, type Goal, type Row } from './benchmark.ts';

const BYTES_A_MIB = 1024 * 1024;

const COLUMNS: readonly { readonly title: string; readonly cell: (row: Row) => string }[] = [
  { title: 'work', cell: ({ work }) => work },
  { title: 'subject', cell: ({ subject }) => subject },
  { title: 'median', cell: ({ value, unit }) => `${round(value)} ${unit}` },
  { title: 'CPU µs each', cell: ({ cpuMicroseconds }) => rounded(cpuMicroseconds) },
  { title: 'server cores', cell: ({ serverCores }) => rounded(serverCores) },
  { title: 'load cores', cell: ({ loadCores }) => rounded(loadCores) },
  {
    title: 'MiB',
    cell: ({ residentBytes }) =>
      rounded(residentBytes === undefined ? undefined : residentBytes / BYTES_A_MIB),
  },
  { title: 'ours to it', cell: ({ ratio }) => (ratio === undefined ? '' : ratio.toFixed(2)) },
  {
    title: 'goal',
    cell: (row) => {
      if (row.goal === undefined) return '';
      return `${goalText(row.goal)} ${reachesGoal(row) === true ? 'reached' : 'MISSED'}`;
    },
  },
];

/** Rows as a Markdown table, its columns aligned for a terminal. */
export function table(rows: readonly Row[]): string {
  const cells = [
    COLUMNS.map(({ title }) => title),
    ...rows.map((row) => COLUMNS.map(({ cell }) => cell(row))),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const line = (values: readonly string[]) =>
    `| ${values.map((value, at) => value.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [titles = [], ...lines] = cells;
  return [
    line(titles),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...lines.map(line),
  ].join('\n');
}

function goalText({ least, most }: Goal): string {
  return least === undefined ? `at most ${most}` : `at least ${least}`;
}

function rounded(value: number | undefined): string {
  return value === undefined ? '' : round(value);
}

/** Three digits are more than the precision of the measurements. */
function round(value: number): string {
  if (value >= 1_000) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
