import { Fragment } from 'react'

/** Of longer parts a column does not keep the width. */
const longestWord = 14

/** A name without spaces that breaks after `_`, `.`, `@` and `/` if it has to, and within a part only where no line is wide enough for it. */
export function Breakable({ children }: { children: string }) {
  return children.split(/(?<=[_.@/])/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr aria-hidden />}
      {part.length > longestWord ? part : <span style={{ overflowWrap: 'break-word' }}>{part}</span>}
    </Fragment>
  ))
}
