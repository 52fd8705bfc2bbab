// The first script of the page. It is ES5, so that every browser can run it. Where there would be an empty page, it says that the
// browser is too old, or that the page could not be loaded.
(function () {
  var TEXTS = {
    en: {
      old:
        'This browser is too old for this page. Please update it, or use another one: Safari 17.4, Firefox 140, Chrome 130, ' +
        'or newer.',
      failed: 'This page could not be loaded. Please check your connection, then load it again.',
    },
    de: {
      old:
        'Dieser Browser ist zu alt für diese Seite. Bitte aktualisiere ihn oder nimm einen anderen: Safari 17.4, Firefox 140, ' +
        'Chrome 130 oder neuer.',
      failed:
        'Diese Seite konnte nicht geladen werden. Bitte prüfe deine Verbindung und lade die Seite neu.',
    },
  };
  var language = /^de\b/i.test(navigator.language || '') ? 'de' : 'en';
  var notice;

  /** Returns true if something is missing that the client needs and that all supported browsers have. */
  function isTooOld() {
    return (
      !('noModule' in document.createElement('script')) ||
      typeof Promise.withResolvers !== 'function' ||
      typeof Object.groupBy !== 'function' ||
      typeof Set.prototype.union !== 'function' ||
      typeof URL.canParse !== 'function' ||
      typeof Intl.Segmenter !== 'function' ||
      !('popover' in document.createElement('div')) ||
      !CSS.supports('selector(:has(a))') ||
      !CSS.supports('selector(&)')
    );
  }

  function show(text) {
    if (notice) return;
    notice = document.createElement('p');
    notice.className = 'page-notice';
    notice.lang = language;
    notice.setAttribute('role', 'alert');
    notice.appendChild(document.createTextNode(text));
    if (document.body) insert();
    else document.addEventListener('DOMContentLoaded', insert);
  }

  function insert() {
    if (notice) document.body.insertBefore(notice, document.body.firstChild);
  }

  function fail(event) {
    var target = event.target;
    // A script that cannot be loaded gets the event itself; one that throws sends it to the window. Pictures and styles may be missing.
    var isOfScript = target === window || (target && target.nodeName === 'SCRIPT');
    if (isOfScript) show(TEXTS[language].failed);
  }

  if (isTooOld()) {
    document.documentElement.setAttribute('data-too-old', '');
    show(TEXTS[language].old);
    return;
  }
  window.addEventListener('error', fail, true);
  window.addEventListener('unhandledrejection', fail);
  // The client announces that it is shown. From then on, it reports its own errors; earlier ones have not stopped it.
  document.addEventListener('hearth-shown', function () {
    window.removeEventListener('error', fail, true);
    window.removeEventListener('unhandledrejection', fail);
    if (notice && notice.parentNode) notice.parentNode.removeChild(notice);
    notice = undefined;
  });
})();
