import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import styles from './text-diff.module.css'

// A hundred versions are compared at once, of texts that anybody wrote, and the page waits for it.
/** Characters of both texts: longer ones are compared line by line. */
const wordByWord = 20_000
/** Lines of both texts: longer ones are not compared. */
const lineByLine = 10_000
/** Texts with more changes are not compared to the end: the work grows with the square of their number. */
const mostChanges = 200
/** Unchanged text between two changes is shown up to this length on either side of them. */
const context = 160

/** Undefined for two texts whose comparison would take too long. */
function compare(before: string, after: string): ChangeObject<string>[] | undefined {
  const limit = { maxEditLength: mostChanges }
  const byWords = before.length + after.length > wordByWord ? undefined : diffWordsWithSpace(before, after, limit)
  if (byWords || `${before}\n${after}`.split('\n').length > lineByLine) return byWords
  return diffLines(before, after, limit)
}

function abridge(text: string, isFirst: boolean, isLast: boolean) {
  if (text.length <= 2 * context + 20) return text
  return `${isFirst ? '' : text.slice(0, context)} … ${isLast ? '' : text.slice(-context)}`
}

/** The changes of a text, struck out and underlined, not by color alone. Without `before`, the plain text. */
export function TextDiff({ before, after }: { before: string | undefined; after: string }) {
  const parts = useMemo((): ChangeObject<string>[] => {
    if (before === undefined) return [{ value: after, added: false, removed: false, count: 1 }]
    return (
      compare(before, after) ?? [
        { value: before, added: false, removed: true, count: 1 },
        { value: after, added: true, removed: false, count: 1 },
      ]
    )
  }, [before, after])
  return (
    <div className={styles.text}>
      {parts.map((part, index) => {
        const key = `${index} ${part.value.length}`
        if (part.added) return <ins key={key}>{part.value}</ins>
        if (part.removed) return <del key={key}>{part.value}</del>
        return <span key={key}>{parts.length === 1 ? part.value : abridge(part.value, index === 0, index === parts.length - 1)}</span>
      })}
    </div>
  )
}
