import { Suspense } from 'react'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import type { Ticket } from '../../ticket.ts'
import { PlainText } from './plain-text.tsx'

// If the renderer cannot be loaded, the text can still be read.
const RenderedText = lazy<RichTextProps>(() =>
  import('./rendered-text.tsx').then(
    loaded => ({ default: loaded.RenderedText }),
    () => ({ default: PlainText }),
  ),
)

export interface RichTextProps {
  /** Markdown, as it is stored. */
  text: string
  ticket: Ticket
  /** Without it, tasks are read-only. */
  onTick?: ((text: string) => void) | undefined
}

/** Whether the text might have Markdown. */
const mayHaveMarks = /[`*_[\]#<>~|\\&@]|:\/\/|www\.|mailto:|[\p{L}\p{N}_]-[1-9]|^\s*([-+=]|\d+[.)])|^( {4}| *\t)/mu

/** A text rendered as Markdown. The renderer is loaded with the first text that needs it. */
export function RichText(props: RichTextProps) {
  if (!mayHaveMarks.test(props.text)) return <PlainText text={props.text} />
  return (
    <Suspense fallback={<PlainText text={props.text} />}>
      <RenderedText {...props} />
    </Suspense>
  )
}
