/** A ticket's code, or `@` and a login name. What it names is for the server to say. */
const pattern =
  /(?<![\p{L}\p{N}_/@.-])(?:(?<ticket>[\p{L}\p{N}_]{1,16}-[1-9]\d{0,14})(?![\p{L}\p{N}_-])|@(?<person>[^\s@,;:!?()[\]{}<>"'`*|\\]{1,100}))/gu

interface Name {
  kind: 'ticket' | 'person'
  /** As it stands in the text, with the `@`. */
  name: string
  index: number
}

/** What a text may name, where it stands. */
export function namesIn(text: string): Name[] {
  return [...text.matchAll(pattern)].flatMap(({ index, groups }): Name[] => {
    if (groups?.ticket) return [{ kind: 'ticket', name: groups.ticket, index }]
    // The end of a sentence is no part of a name.
    const login = groups?.person?.replace(/\.+$/, '')
    return login ? [{ kind: 'person', name: `@${login}`, index }] : []
  })
}
