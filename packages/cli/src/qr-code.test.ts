import { expect, test } from 'bun:test';
import { encode } from 'uqr';
import { qrCode } from './qr-code.ts';

const ADDRESS = 'https://chat.example.org';
const ROOM = { columns: 80, rows: 24 };

const START = '  \u001B[30;107m';
const END = '\u001B[0m';

/** The rows of a code as they were drawn, without colours: true is black. */
function modulesIn(drawn: string): readonly (readonly boolean[])[] {
  return drawn.split('\n').flatMap((line) => {
    expect(line).toStartWith(START);
    expect(line).toEndWith(END);
    const characters = Array.from(line.slice(START.length, -END.length));
    return [
      characters.map((character) => '█▀'.includes(character)),
      characters.map((character) => '█▄'.includes(character)),
    ];
  });
}

test('a QR code shows the modules of its address, black on white, two rows in each line', async () => {
  const drawn = modulesIn((await qrCode(ADDRESS, ROOM)) ?? '');
  const { data } = encode(ADDRESS, { ecc: 'L', border: 2 });
  expect(drawn.slice(0, data.length)).toEqual(data);
  expect(drawn.slice(data.length).flat()).not.toContain(true);
});

test('a QR code that does not fit into the window is left out', async () => {
  const lines = ((await qrCode(ADDRESS, ROOM)) ?? '').split('\n');
  const size = { columns: modulesIn(lines.join('\n'))[0]?.length ?? 0, rows: lines.length };
  expect(await qrCode(ADDRESS, { columns: size.columns + 2, rows: size.rows + 1 })).toBeString();
  expect(await qrCode(ADDRESS, { columns: size.columns + 1, rows: 99 })).toBeUndefined();
  expect(await qrCode(ADDRESS, { columns: 99, rows: size.rows })).toBeUndefined();
  expect(await qrCode(`${ADDRESS}/${'x'.repeat(900)}`, ROOM)).toBeUndefined();
});
