/** In lower case, without accents. Not the search's `foldedText`: that takes 160 ms for 1,000 people, at each key. */
export function folded(text: string) {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
}

/** The words of what was typed, folded. */
export function wordsOf(typed: string) {
  return folded(typed).split(/\s+/).filter(Boolean)
}

/** 0 if the folded text is what was typed, 1 if it begins with the first word, 2 if one of its words does, 3 if it contains all words. */
export function rankAmongMatches(text: string, words: readonly string[]) {
  if (!words.every(word => text.includes(word))) return undefined
  if (text === words.join(' ')) return 0
  const first = words[0] ?? ''
  if (text.startsWith(first)) return 1
  return text.split(/[^\p{L}\p{N}]+/u).some(part => part.startsWith(first)) ? 2 : 3
}

/** The items that contain all words typed, the best first; equally good ones keep their order. */
export function bestMatches<Item>(items: readonly Item[], textOf: (item: Item) => string, typed: string): readonly Item[] {
  const words = wordsOf(typed)
  if (words.length === 0) return items
  return items
    .map(item => ({ item, rank: rankAmongMatches(folded(textOf(item)), words) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
    .map(({ item }) => item)
}
