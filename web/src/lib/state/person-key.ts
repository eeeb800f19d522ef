/** The storage key of a person's setting. Without `idUser`, when it is not yet known who is signed in: that of any person in this browser, or ''. */
export function personKey(prefix: string, idUser: number | undefined, rest: string) {
  if (idUser) return `${prefix}${idUser}.${rest}`
  return Object.keys(localStorage).find(key => key.startsWith(prefix) && key.endsWith(`.${rest}`)) ?? ''
}
