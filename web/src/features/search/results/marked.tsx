import { markWords } from '@tessera/contract/query-language/marks'

interface MarkedProps {
  pieces: readonly { Text: string; Mark: 0 | 1 }[]
}

/** A text with its matches marked. */
export function Marked({ pieces }: MarkedProps) {
  return pieces.map(({ Text, Mark }, index) => {
    const key = `${index} ${Text}`
    return Mark === 1 ? <mark key={key}>{Text}</mark> : <span key={key}>{Text}</span>
  })
}

export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  return <Marked pieces={markWords(text, words)} />
}
