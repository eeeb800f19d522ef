/** A piece of a text, marked where it is what was looked for. */
export interface Piece {
  Text: string
  Mark: 0 | 1
}

const isLetter = /[\p{L}\p{N}\p{M}]/u
/** Scripts without blanks between words: a match may begin anywhere. */
export const isPaired = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af]/u

/** Letters without case and accents, each with where it came from. */
function fold(text: string) {
  let folded = ''
  const origins: number[] = []
  let at = 0
  for (const letter of text) {
    const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    for (let index = 0; index < plain.length; index++) origins.push(at)
    folded += plain
    at += letter.length
  }
  origins.push(at)
  return { folded, origins }
}

/** The words of these texts as `markWords` looks for them. */
export function foldedWords(texts: readonly string[]): string[] {
  return texts.flatMap(text =>
    fold(text)
      .folded.split(/[^\p{L}\p{N}\p{M}]+/u)
      .filter(word => word !== ''),
  )
}

/** Whether each of the folded words begins a word of the text. */
export function hasAllWords(text: string, words: readonly string[]) {
  const { folded } = fold(text)
  return words.every(word => beginningsOf(folded, word).length > 0)
}

function beginningsOf(folded: string, word: string): number[] {
  const found: number[] = []
  for (let at = folded.indexOf(word); at !== -1 && word !== ''; at = folded.indexOf(word, at + 1)) {
    if (at === 0 || isPaired.test(word) || !isLetter.test(folded[at - 1] as string)) found.push(at)
  }
  return found
}

/** The text in pieces, the words marked from where they begin to their ends. Blanks and line breaks become one blank. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const flat = text.replace(/\s+/g, ' ').trim()
  const { folded, origins } = fold(flat)
  const marked = new Set<number>()
  for (const word of words) {
    for (const at of beginningsOf(folded, word)) {
      for (let index = at; index < at + word.length; index++) marked.add(origins[index] as number)
    }
  }
  const pieces: Piece[] = []
  let at = 0
  for (const letter of flat) {
    const Mark = marked.has(at) ? 1 : 0
    const last = pieces.at(-1)
    if (last?.Mark === Mark) last.Text += letter
    else pieces.push({ Text: letter, Mark })
    at += letter.length
  }
  return pieces
}
