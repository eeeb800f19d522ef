// Runs before the first paint: only a choice made in the profile differs from what the style sheet takes from the system.
const mode = localStorage.getItem('mui-mode')
if (mode === 'light' || mode === 'dark') document.documentElement.setAttribute(`data-${mode}`, '')
