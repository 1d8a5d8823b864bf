// Runs before the first paint, as a file because the content policy allows no inline script.
// The key and the attribute are Mantine's, so that the switch in the app and this agree.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is blocked: follow the system.
  }
  var fixed = stored === 'light' || stored === 'dark' ? stored : null;
  var system = matchMedia('(prefers-color-scheme: dark)');
  function apply() {
    document.documentElement.setAttribute(
      'data-mantine-color-scheme',
      fixed || (system.matches ? 'dark' : 'light'),
    );
  }
  apply();
  // Pages without the switch follow the system live; where there is one, it sets the same attribute.
  if (!fixed) {
    system.addEventListener('change', function () {
      var now = null;
      try {
        now = localStorage.getItem('mantine-color-scheme-value');
      } catch {
        // As above.
      }
      if (now !== 'light' && now !== 'dark') apply();
    });
  }
})();
