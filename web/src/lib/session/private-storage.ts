/** Preferences, which reveal nothing about tickets: the theme, whether shortcuts are on, the columns of lists, what is folded on a board. */
const preference = /^(color-scheme|tessera\.shortcuts|tessera\.(columns|board)\..*)$/

/** At logout: removes everything this browser keeps for the page but its preferences. */
export function clearPrivateStorage() {
  for (const key of Object.keys(localStorage)) if (!preference.test(key)) localStorage.removeItem(key)
  sessionStorage.clear()
}

const kept = 'tessera.kept.'

/** The prefix of the keys of a person's unsaved texts. */
export const keptFor = (idUser: number) => `${kept}${idUser}.`

/** At sign-in: removes the unsaved texts of other people in this browser. */
export function forgetOthers(idUser: number) {
  for (const key of Object.keys(localStorage)) if (key.startsWith(kept) && !key.startsWith(keptFor(idUser))) localStorage.removeItem(key)
}
