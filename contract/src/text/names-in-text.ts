/**
 * A ticket's key, `@` and a login name, or `#` and a label, not within a word or an address. Only the server knows
 * whether such a ticket, person or label exists.
 */
const pattern =
  /(?<![\p{L}\p{N}_/@#&.-])(?:(?<ticket>[\p{L}\p{N}_]{1,16}-[1-9]\d{0,14})(?![\p{L}\p{N}_-])|@(?<person>[^\s@,;:!?()[\]{}<>"'`*|\\]{1,100})|#(?<label>[^\s#@,;!?()[\]{}<>"'`*|\\]{1,200}))/gu

export interface Name {
  kind: 'ticket' | 'person' | 'label'
  /** As written in the text, with the `@` or `#`. */
  name: string
  index: number
}

/** What a text may name, with the positions. */
export function namesIn(text: string): Name[] {
  return [...text.matchAll(pattern)].flatMap(({ index, groups }): Name[] => {
    if (groups?.ticket) return [{ kind: 'ticket', name: groups.ticket, index }]
    // The full stop of a sentence is not part of a name.
    const person = groups?.person?.replace(/\.+$/, '')
    if (person) return [{ kind: 'person', name: `@${person}`, index }]
    const label = groups?.label?.replace(/[.:]+$/, '')
    return label ? [{ kind: 'label', name: `#${label}`, index }] : []
  })
}

/** How a text refers to a label: in lower case, with hyphens for blanks, so that `#needs-review` names the label 'Needs review'. */
export function labelName(label: string) {
  return label.toLowerCase().replaceAll(' ', '-')
}
