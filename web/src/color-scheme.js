const page = document.documentElement

// Runs before the first paint: the choice made in the profile, else the system's.
const chosen = localStorage.getItem('mui-mode')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
page.setAttribute(isDark ? 'data-dark' : 'data-light', '')

// Paper is light: browsers print no backgrounds, and pale words would stand on white.
let isTurned = false
function turn(from, to) {
  page.removeAttribute(from)
  page.setAttribute(to, '')
}
addEventListener('beforeprint', () => {
  isTurned = page.hasAttribute('data-dark')
  if (isTurned) turn('data-dark', 'data-light')
})
addEventListener('afterprint', () => {
  if (isTurned) turn('data-light', 'data-dark')
})
