/**
 * What the web client uses although an oldest supported browser lacks it, and why nobody misses it there. The names are those
 * that the check prints; `*` after a property stands for all of its values. A test fails if one of these is no longer used.
 */
export const ALLOWED: Readonly<Record<string, string>> = {
  'Symbol.dispose': 'polyfills.ts adds it',
  'Symbol.asyncDispose': 'polyfills.ts adds it',
  '*.suppressed': 'the bundler sets it on an error of its own',
  '*.moveBefore': 'Preact checks for it first',
  '*.stackTraceLimit': 'zod checks for it first',
  '*.setAppBadge': 'called only if there is one',
  '*.clearAppBadge': 'called only if there is one',
  '*.imageSmoothingQuality': 'a picture is scaled a little less well without it',
  'TouchList.length': 'read only after touches, which these computers do not have',
  'Touch.clientX': 'read only after touches, which these computers do not have',
  'Touch.clientY': 'read only after touches, which these computers do not have',
  '<dialog closedby>': 'dialog.tsx closes on a click beside the dialog without it',
  '<input autocapitalize>': 'there is no keyboard on the screen of these computers',
  '<video playsinline>': 'without it, Firefox plays in place anyway',

  '-webkit-touch-callout': 'only phones of Apple have what it switches off',
  '::-webkit-progress-bar': 'beside the rule for Firefox',
  '::-webkit-progress-value': 'beside the rule for Firefox',
  '::-moz-progress-bar': 'beside the rule for the others',
  '::-webkit-search-cancel-button': 'Firefox has no such button',
  'contain-intrinsic-size: auto': 'belongs to content-visibility',
  'content-visibility': 'saves work only',
  'cursor: *': 'there is no pointer on these phones',
  'field-sizing': 'a text box has its own size, and scrolls',
  'forced-color-adjust': 'these browsers force no colours',
  'overflow-anchor': 'these browsers anchor nothing',
  'overflow-clip-margin': 'a shadow is cut a little earlier',
  resize: 'there is no handle on these phones',
  'scrollbar-gutter': 'the scroll bar lies over the page',
  'scrollbar-width': 'the scroll bar lies over the page',
  'text-decoration: dotted': 'the line is drawn through',
  'text-wrap: balance': 'lines break as usual',
  'text-wrap: pretty': 'lines break as usual',
};
