// Before the first paint: the theme, cloth and language chosen on this device. Its keys are those of shell/prefs.svelte.ts.
(function () {
  try {
    var prefs = JSON.parse(localStorage.getItem("qipai.prefs") || "{}");
    var root = document.documentElement;
    if (prefs.theme === "light" || prefs.theme === "dark") root.dataset.theme = prefs.theme;
    if (prefs.cloth) root.dataset.cloth = prefs.cloth;
    if (prefs.lang) root.lang = prefs.lang;
  } catch (e) {
    // No storage: the defaults hold.
  }
})();
