// Runs before the first paint: only a choice made in the profile differs from what the style sheet takes from the system.
const mode = localStorage.getItem('mui-mode')
if (mode === 'light' || mode === 'dark') document.documentElement.setAttribute(`data-${mode}`, '')

// Paper is light: browsers print no backgrounds, and pale words would stand on white.
const page = document.documentElement
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
