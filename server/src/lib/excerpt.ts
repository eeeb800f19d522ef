/** The first UTF-16 units of a text, at most so many, without half a character at the end. */
export function beginning(text: string, most: number) {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
}

/** The text, or its beginning and an ellipsis if it has more than so many UTF-16 units. */
export function excerpt(text: string, most: number) {
  return text.length <= most ? text : `${beginning(text, most)}…`
}
