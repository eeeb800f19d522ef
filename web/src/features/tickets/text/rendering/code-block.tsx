import { Suspense, useDeferredValue, useState } from 'react'
import { lazy } from '../../../../components/lazy/lazy.tsx'
import { notify } from '../../../../components/toaster/toaster.tsx'
import { copyText } from '../../../../lib/input/copy-text.ts'
import { onceReached } from '../once-reached.ts'
import styles from './code-block.module.css'

const HighlightedCode = lazy<{ code: string; language: string }>(() =>
  onceReached(async () => (await import('./highlighted-code.tsx')).HighlightedCode),
)

/** A code block, highlighted if its language is named, with a button that copies it. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  const [isCopied, setCopied] = useState(false)
  // Later, one block at a time, so that the page stays responsive.
  const isHighlighted = useDeferredValue(language !== '', false)
  const copy = async () => {
    const isDone = await copyText(code)
    setCopied(isDone)
    if (!isDone) notify.error('The code could not be copied: select it and copy it')
  }
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <pre tabIndex={0}>
        <code>
          {isHighlighted ? (
            <Suspense fallback={code}>
              <HighlightedCode code={code} language={language} />
            </Suspense>
          ) : (
            code
          )}
        </code>
      </pre>
      <button
        type="button"
        aria-label={isCopied ? 'Copied' : 'Copy this code'}
        className={styles.copy}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      >
        {isCopied ? 'COPIED' : 'COPY'}
      </button>
    </div>
  )
}
