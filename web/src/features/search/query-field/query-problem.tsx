import { Button } from '../../../components/button/button.tsx'
import type { QueryProblem } from './problem.ts'
import styles from './query-field.module.css'

interface QueryProblemTextProps {
  id: string
  text: string
  problem: QueryProblem
  /** Replaces the wrong part. */
  onReplace: (text: string) => void
}

/** How many characters of the query are shown around the error. */
const around = 30

/** What is wrong with a query, and where, with suggested names. */
export function QueryProblemText({ id, text, problem: { message, position, length, nearest }, onReplace }: QueryProblemTextProps) {
  const end = position + length
  const [before, wrong, after] = [
    text.slice(Math.max(0, position - around), position),
    text.slice(position, end),
    text.slice(end, end + around),
  ]
  return (
    <div id={id} role="alert" className={styles.problem}>
      <p>
        {message}
        {length < text.length && `, at character ${position + 1}`}
        {': '}
        <code className={styles.place}>
          {position > around && '…'}
          {before}
          <span className={styles.wrong}>{wrong || '␣'}</span>
          {after}
          {end + around < text.length && '…'}
        </code>
      </p>
      {nearest.length > 0 && (
        <p className={styles.nearest}>
          Did you mean{' '}
          {nearest.map(name => (
            <Button key={name} className={styles.name} onClick={() => onReplace(name)}>
              {name}
            </Button>
          ))}
        </p>
      )}
    </div>
  )
}
