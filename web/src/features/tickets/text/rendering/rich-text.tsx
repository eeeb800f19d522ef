import { Suspense } from 'react'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { onceReached } from '../once-reached.ts'
import { PlainText } from './plain-text.tsx'
import type { RichTextProps } from './rendered-text.tsx'

// Until the renderer is loaded, the text can be read as it was typed.
const RenderedText = lazy<RichTextProps>(() => onceReached(async () => (await import('./rendered-text.tsx')).RenderedText))

/** Whether the text might have Markdown. */
const mayHaveMarks = /[`*_[\]#<>~|\\&@]|:\/\/|www\.|mailto:|[\p{L}\p{N}_]-[1-9]|^\s*([-+=]|\d+[.)])|^( {4}| *\t)/mu

/** A text rendered as Markdown. The renderer is loaded with the first text that needs it. */
export function RichText(props: RichTextProps) {
  const plain = <PlainText text={props.text} firstPart={props.firstPart} />
  if (!mayHaveMarks.test(props.text)) return plain
  return (
    <Suspense fallback={plain}>
      <RenderedText {...props} />
    </Suspense>
  )
}

/** Loads the renderer if the text needs it. */
export function prepareRichText(text: string) {
  if (mayHaveMarks.test(text)) RenderedText.prepare()
}
