/** What says nothing about the person or their work: the theme, and whether shortcuts are on. */
const preference = /^(color-scheme|tessera\.shortcuts)$/

/** At logout: removes everything this browser keeps for the page but its preferences. */
export function clearPrivateStorage() {
  for (const key of Object.keys(localStorage)) if (!preference.test(key)) localStorage.removeItem(key)
  sessionStorage.clear()
}
