import { Fragment } from 'react'

/** A name without blanks that, where it must, breaks at its own joints rather than anywhere. */
export function Breakable({ children }: { children: string }) {
  return children.split(/(?<=[_.@/])/).map((part, index) => (
    <Fragment key={`${index} ${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
