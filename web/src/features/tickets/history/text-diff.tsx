import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import styles from './text-diff.module.css'

/** Longer texts are compared line by line: a comparison by words would block the page. */
const wordByWord = 20_000
/** Unchanged text between two changes is shown up to this length on either side of them. */
const context = 160

function abridge(text: string, isFirst: boolean, isLast: boolean) {
  if (text.length <= 2 * context + 20) return text
  return `${isFirst ? '' : text.slice(0, context)} … ${isLast ? '' : text.slice(-context)}`
}

/** The changes of a text, struck out and underlined, not by colour alone. Without `before`, the plain text. */
export function TextDiff({ before, after }: { before: string | undefined; after: string }) {
  const parts = useMemo((): ChangeObject<string>[] => {
    if (before === undefined) return [{ value: after, added: false, removed: false, count: 1 }]
    const isLong = before.length + after.length > wordByWord
    const compared = isLong ? diffLines(before, after, { timeout: 300 }) : diffWordsWithSpace(before, after, { timeout: 300 })
    // Comparing two texts with nothing in common would take too long: both are then shown whole.
    return (
      compared ?? [
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
