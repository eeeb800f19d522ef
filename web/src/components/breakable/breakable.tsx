import { Fragment } from 'react'

/** Longer parts may break anywhere, since no line is wide enough for them. */
const longestWord = 14

/** A name without spaces that breaks after `_`, `.`, `@` and `/` if it has to. */
export function Breakable({ children }: { children: string }) {
  return children.split(/(?<=[_.@/])/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr aria-hidden />}
      {part.length > longestWord ? part : <span style={{ whiteSpace: 'nowrap' }}>{part}</span>}
    </Fragment>
  ))
}
