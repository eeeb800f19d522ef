/** What a history row keeps of a comment: which version of it, not the text again. */
export function commentReference(idComment: number, version: number) {
  return `${idComment}.${version}`
}
