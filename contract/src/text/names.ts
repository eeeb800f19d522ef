/**
 * A ticket's key, `@` and a login name, or `#` and a label, not within a word or an address. Whether there is such a thing is for the server
 * to say.
 */
const pattern =
  /(?<![\p{L}\p{N}_/@#&.-])(?:(?<ticket>[\p{L}\p{N}_]{1,16}-[1-9]\d{0,14})(?![\p{L}\p{N}_-])|@(?<person>[^\s@,;:!?()[\]{}<>"'`*|\\]{1,100})|#(?<label>[^\s#@,;!?()[\]{}<>"'`*|\\]{1,200}))/gu

export interface Name {
  kind: 'ticket' | 'person' | 'label'
  /** As it stands in the text, with the `@` or `#`. */
  name: string
  index: number
}

/** What a text may name, where it stands. */
export function namesIn(text: string): Name[] {
  return [...text.matchAll(pattern)].flatMap(({ index, groups }): Name[] => {
    if (groups?.ticket) return [{ kind: 'ticket', name: groups.ticket, index }]
    // The end of a sentence is no part of a name.
    const person = groups?.person?.replace(/\.+$/, '')
    if (person) return [{ kind: 'person', name: `@${person}`, index }]
    const label = groups?.label?.replace(/[.:]+$/, '')
    return label ? [{ kind: 'label', name: `#${label}`, index }] : []
  })
}

/** How a text writes a label, in lower case: blanks as hyphens, so that `#needs-review` names the label 'Needs review'. */
export function labelName(label: string) {
  return label.toLowerCase().replaceAll(' ', '-')
}
