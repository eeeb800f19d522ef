/** A piece of a text, marked if it matches the search. */
export interface Piece {
  Text: string
  Mark: 0 | 1
}

// The same as `search_fold` and `search_words` in the database.
const isLetter = /[\p{L}\p{N}\p{M}]/u
const wholeWord = /[\p{L}\p{N}\p{M}]+|[\u2600-\u27ff\u2900-\u2bff\u{1f000}-\u{1fbff}]/gu
/** Scripts without blanks between words. */
const isPaired = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/u
/** Soft hyphens, joiners of letters, accents, vowel points of Arabic and Hebrew. Japanese sound marks make another letter. */
const dropped =
  /[\u00ad\u0640\u200b-\u200d\u2060\ufeff]|(?!\u3099|\u309a)(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]/gu
/** A letter with what belongs to it: marks, what is dropped, the later parts of a Korean syllable. */
const letter = /.[\p{M}\u00ad\u0640\u1160-\u11ff\u200b-\u200d\u2060\ufeff\uff9e\uff9f]*/gsu

/** The text without case and accents, and for each of its letters the index in the original. */
function fold(text: string) {
  let folded = ''
  const origins: number[] = []
  for (const { 0: letters, index } of text.matchAll(letter)) {
    const plain = letters.normalize('NFKD').replace(dropped, '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
    for (let count = 0; count < plain.length; count++) origins.push(index)
    folded += plain
  }
  return { folded, origins }
}

/** The text without case and accents. */
export function foldedText(text: string) {
  return fold(text).folded
}

/** The words of these texts as `markWords` looks for them. */
export function foldedWords(texts: readonly string[]): string[] {
  return texts.flatMap(text => fold(text).folded.match(wholeWord) ?? [])
}

/** Whether each of the words begins a word of the text. */
export function hasAllWords(text: string, words: readonly string[]) {
  const { folded } = fold(text)
  return words.every(word => beginningsOf(folded, fold(word).folded).length > 0)
}

/** Whether the word may begin directly after a letter: it is an emoji, or of a script without spaces. */
export function mayFollowLetter(word: string) {
  return isPaired.test(word) || !isLetter.test(word)
}

function beginningsOf(folded: string, word: string): number[] {
  const found: number[] = []
  for (let at = folded.indexOf(word); at !== -1 && word !== ''; at = folded.indexOf(word, at + 1)) {
    if (at === 0 || mayFollowLetter(word) || isPaired.test(folded[at - 1] as string) || !isLetter.test(folded[at - 1] as string))
      found.push(at)
  }
  return found
}

/** The text in pieces, with the words marked. Consecutive white space becomes one blank. */
export function markWords(text: string, words: readonly string[]): Piece[] {
  const flat = text.replace(/\s+/g, ' ').trim()
  const { folded, origins } = fold(flat)
  const marked = new Set<number>()
  for (const word of words.map(each => fold(each).folded)) {
    for (const at of beginningsOf(folded, word)) {
      for (let index = at; index < at + word.length; index++) marked.add(origins[index] as number)
    }
  }
  const pieces: Piece[] = []
  for (const { 0: letters, index } of flat.matchAll(letter)) {
    const Mark = marked.has(index) ? 1 : 0
    const last = pieces.at(-1)
    if (last?.Mark === Mark) last.Text += letters
    else pieces.push({ Text: letters, Mark })
  }
  return pieces
}
