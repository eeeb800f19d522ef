// Says so if a script of the application cannot be loaded or run; the loading message would stay forever.
addEventListener(
  'error',
  ({ target, error }) => {
    const message = document.querySelector('.starting [role=status]')
    if (!message || !(error || target instanceof HTMLScriptElement)) return
    message.textContent =
      error instanceof SyntaxError
        ? 'This browser is too old for Tessera. Please update it.'
        : 'Tessera could not be loaded. Please check the connection and load the page again.'
  },
  // The errors of files that cannot be loaded do not bubble.
  true,
)
