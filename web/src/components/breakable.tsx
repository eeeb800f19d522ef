import { Fragment } from 'react'

/** What is longer than this may break anywhere, or it would need a line of its own that is nowhere. */
const longestWord = 14

/** A name without blanks that, where it must, breaks at its own joints rather than anywhere. */
export function Breakable({ children }: { children: string }) {
  return children.split(/(?<=[_.@/])/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr />}
      {part.length > longestWord ? part : <span style={{ whiteSpace: 'nowrap' }}>{part}</span>}
    </Fragment>
  ))
}
