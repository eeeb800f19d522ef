const page = document.documentElement
const isSystemDark = matchMedia('(prefers-color-scheme: dark)')

// Runs before the first paint: applies the choice made in the profile, or else the system's.
function apply() {
  const chosen = localStorage.getItem('color-scheme')
  const isDark = chosen === 'dark' || (chosen !== 'light' && isSystemDark.matches)
  page.toggleAttribute('data-dark', isDark)
  page.toggleAttribute('data-light', !isDark)
}
apply()
isSystemDark.addEventListener('change', apply)
// Chosen in this tab, or in another one.
addEventListener('color-scheme', apply)
addEventListener('storage', apply)
