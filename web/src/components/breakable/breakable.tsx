import { Fragment } from 'react'

/** Longer parts may break anywhere, since no line is wide enough for them. */
const longestWord = 14

interface BreakableProps {
  /** In a column of a fixed width, a part breaks where no line is wide enough for it; elsewhere the column gets as wide as the longest part. */
  isFixed?: boolean
  children: string
}

/** A name without spaces that breaks after `_`, `.`, `@` and `/` if it has to. */
export function Breakable({ isFixed = false, children }: BreakableProps) {
  return children.split(/(?<=[_.@/])/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr aria-hidden />}
      {part.length > longestWord ? part : <span style={isFixed ? { overflowWrap: 'break-word' } : { whiteSpace: 'nowrap' }}>{part}</span>}
    </Fragment>
  ))
}
