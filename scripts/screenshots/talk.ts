/** Something that was said, at its time. */
export interface Said {
  readonly at: string;
  readonly by: string;
  readonly text: string;
  /** The names of drawings that come with it. */
  readonly pictures?: readonly string[];
  /** The beginning of the message that it answers. */
  readonly answers?: string;
}

const CODE = `Watering plan, for anyone who has the greenhouse key:

\`\`\`ts
const beds = ['herbs', 'figs', 'chard'];
const today = beds[new Date().getDate() % beds.length];
console.log(\`Water the \${today} today\`);
\`\`\``;

const on = (day: number, time: string) => `2026-11-${day}T${time}+01:00`;

/** Messages that Grace has read before. */
export const BEFORE: readonly Said[] = [
  {
    at: on(19, '18:42:00'),
    by: 'Mira',
    text: 'The oven is booked for Saturday. Dough goes in at **four**.',
  },
  { at: on(19, '18:44:00'), by: 'Jonas', text: "I'll bring the rye starter. It has a name now." },
  { at: on(19, '18:45:00'), by: 'Mira', text: 'Of course it has.' },
  {
    at: on(20, '08:15:00'),
    by: 'Priya',
    text: 'Frost last night. The figs are wrapped, and the lemons live in my hallway 🍋',
  },
  { at: on(20, '12:30:00'), by: 'Samir', text: CODE },
  {
    at: on(20, '12:34:00'),
    by: 'Elif',
    text: 'A rota in TypeScript. We have become *that* street.',
  },
];

/** Messages that were written while Grace was away. */
export const MEANWHILE: readonly Said[] = [
  {
    at: on(20, '19:02:00'),
    by: 'Jonas',
    text: 'The starter is called Doughlores, for the record.',
    answers: "I'll bring",
  },
  { at: on(20, '19:03:00'), by: 'Priya', text: '😂' },
  {
    at: on(21, '09:10:00'),
    by: 'Mira',
    text: 'Morning round: bread, glass and ice.',
    pictures: ['loaf.png', 'greenhouse.png', 'bridge.png', 'figs.png'],
  },
  {
    at: on(21, '09:31:00'),
    by: 'Samir',
    text: '@Grace could you bring the **long** table from the cellar? The short one still has paint on it.',
  },
  {
    at: on(21, '09:40:00'),
    by: 'Elif',
    text: 'Mira turns forty on Tuesday. We collected enough for ||the blue enamel pot|| — hush!',
  },
  { at: on(21, '17:05:00'), by: 'Elif', text: 'The lanterns are up!', pictures: ['lanterns.png'] },
  { at: on(21, '17:09:00'), by: 'Jonas', text: 'They look lovely from the bridge.' },
];

/** When the pictures are taken. */
export const NOW = on(21, '17:12:00');

/** The message of Grace, and the answer. */
export const OWN = 'Soup is on its way, enough for twelve. Is anybody allergic to celery?';
export const ANSWERS: readonly Said[] = [
  { at: on(21, '17:12:30'), by: 'Priya', text: 'Samir is. He will deny it.' },
  { at: on(21, '17:13:00'), by: 'Samir', text: 'I deny it.' },
];

/** The files that come last. */
export const FILES: readonly Said[] = [
  {
    at: on(21, '17:20:00'),
    by: 'Mira',
    text: 'The choir, from the back row:',
    pictures: ['choir.wav'],
  },
  {
    at: on(21, '17:22:00'),
    by: 'Samir',
    text: 'And the beds, so that nobody waters the cactus again.',
    pictures: ['beds.ts', 'festival-permit.pdf'],
  },
];

/** The rota of the greenhouse. */
export const BEDS = `// Who waters what. The cactus is not on this list.
export const beds = [
  { name: 'herbs', days: ['Mon', 'Thu'], by: 'Priya' },
  { name: 'figs', days: ['Tue'], by: 'Jonas' },
  { name: 'chard', days: ['Wed', 'Sat'], by: 'Elif' },
] as const;

export function bedOf(day: string): string | undefined {
  return beds.find(({ days }) => days.some((each) => each === day))?.name;
}
`;
