/** What a person set once and says nothing of tickets: the theme, whether shortcuts are on, the columns of lists, what of a board is folded. */
const preference = /^(color-scheme|tessera\.shortcuts|tessera\.(columns|board)\..*)$/

/** At logout: removes everything this browser keeps for the page but its preferences. */
export function clearPrivateStorage() {
  for (const key of Object.keys(localStorage)) if (!preference.test(key)) localStorage.removeItem(key)
  sessionStorage.clear()
}

const kept = 'tessera.kept.'

/** How the keys begin under which a person's unsaved texts are kept. */
export const keptFor = (idUser: number) => `${kept}${idUser}.`

/** When somebody signs in: removes the texts that others left in this browser. */
export function forgetOthers(idUser: number) {
  for (const key of Object.keys(localStorage)) if (key.startsWith(kept) && !key.startsWith(keptFor(idUser))) localStorage.removeItem(key)
}
