import type { InstanceInfo } from '@hearth/protocol';
import { ANYONE } from '../../actor.ts';
import type { DoorContext } from '../../context.ts';
import { describeInstance } from '../../features/instance-info/describe-instance.ts';
import type { Manifest } from './site.ts';
import type { View } from './view.ts';

/** Where a built page leaves room for the instance information. */
const INFO_ELEMENT = /(<script type="application\/json" id="instance-info">)(<\/script>)/;
const TITLE = /<title>[^<]*<\/title>/;

/** A page in two halves, between which the instance information goes. */
export interface PageTemplate {
  readonly before: string;
  readonly after: string;
}

/** The halves of a built page, under the instance's name. Throws where there is no room for the information. */
export function pageTemplate(page: string, title: string): PageTemplate {
  const titled = page.replace(TITLE, () => `<title>${escapeHtml(title)}</title>`);
  const [before, start, end, after] = titled.split(INFO_ELEMENT);
  if (before === undefined || start === undefined || end === undefined || after === undefined) {
    throw new Error('the page of the web client has no element for the instance information');
  }
  return { before: before + start, after: end + after };
}

/** The page with what is told of the instance in it. */
export function renderPage({ before, after }: PageTemplate, info: InstanceInfo): string {
  return `${before}${jsonForScript(info)}${after}`;
}

/** What the web client is told of the instance: its addresses are those of the view. */
export function instanceInfo(ctx: DoorContext, { addresses }: View): InstanceInfo {
  return describeInstance({ ...ctx, addresses }, ANYONE);
}

/** The manifest of the client that is installed, under the instance's own name. */
export function renderManifest(
  manifest: Manifest,
  { instance_name, description }: InstanceInfo,
): string {
  const named = { ...manifest, name: instance_name, short_name: instance_name };
  return JSON.stringify(description === null ? named : { ...named, description });
}

// No text of it can end the element or begin a comment in it.
function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
