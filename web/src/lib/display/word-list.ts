/** `Ann, Ben, and Cleo` */
export function listOf(words: readonly string[]) {
  return new Intl.ListFormat('en-US').format(words)
}

/** `Ann, Ben, or Cleo` */
export function oneOf(words: readonly string[]) {
  return new Intl.ListFormat('en-US', { type: 'disjunction' }).format(words)
}
