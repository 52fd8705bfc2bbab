import { expect, test } from 'bun:test';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import { RenderedTexts } from './rendered-texts.ts';

/** Renderers that count what they render. */
function counted() {
  const rendered: string[] = [];
  const render = (content: string) => {
    rendered.push(content);
    return `<p>${content}</p>`;
  };
  return { rendered, renderers: { html: render, words: render } };
}

test('[SY12] a text is rendered once in each form, and again once others have taken its place', async () => {
  const { rendered, renderers } = counted();
  const texts = new RenderedTexts(renderers, 400);
  const one = 'a'.repeat(20);
  expect(await texts.html(one)).toBe(`<p>${one}</p>`);
  expect(await texts.html(one)).toBe(`<p>${one}</p>`);
  await texts.words(one, 100);
  expect(rendered).toEqual([one, one]);
  for (const other of 'bcdef') await texts.html(other.repeat(20));
  await texts.html(one);
  expect(rendered.filter((content) => content === one)).toHaveLength(3);
});

test('[SY12] a text that is larger than all that is kept is rendered all the same', async () => {
  const { renderers } = counted();
  const texts = new RenderedTexts(renderers, 400);
  expect(await texts.html('a'.repeat(1_000))).toHaveLength(1_007);
});

test('[SY12] others run between texts that are rendered', async () => {
  const { rendered, renderers } = counted();
  const texts = new RenderedTexts(renderers);
  const page = texts.html('a').then(() => texts.html('b'));
  // Whatever promises resolve in this turn, the next text is rendered in a later one.
  for (let at = 0; at < 100; at += 1) await Promise.resolve();
  expect(rendered).toEqual(['a']);
  await letOthersRun();
  await page;
  expect(rendered).toEqual(['a', 'b']);
});
