import { type ComponentProps, Suspense, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import { FieldFrame } from '../../../components/field/field.tsx'
import { lazy, partProblem } from '../../../components/lazy/lazy.tsx'
import { Tabs } from '../../../components/tabs/tabs.tsx'
import { TextArea } from '../../../components/text-field/text-field.tsx'
import { notify } from '../../../components/toaster/toaster.tsx'
import { useOffline } from '../../../lib/calls/reach.ts'
import { usePrinting } from '../../../lib/display/sight/use-printing.ts'
import type { Ticket } from '../ticket.ts'
import { prepareRichText, RichText } from './rendering/rich-text.tsx'
import styles from './text-editor.module.css'

interface ToolsProps {
  area: { current: HTMLTextAreaElement | null }
  ticket: Ticket
  /** Files that were pasted or dropped before the tools were there. */
  waiting: { current: readonly File[] }
  /** Called when they cannot be loaded: a text can still be written, and the next use tries again. */
  onClose: () => void
}
const EditorTools = lazy<ToolsProps>(async () => (await import('./editor/editor-tools.tsx')).EditorTools, {
  keepsTyped: true,
  isSilent: true,
})

interface TextEditorProps extends Omit<ComponentProps<typeof TextArea>, 'label' | 'value' | 'onChange' | 'ref'> {
  ticket: Ticket
  label: string
  value: string
  onChange: (text: string) => void
  /** Called with the new text when a task is ticked in the preview. */
  onTick?: ((text: string) => void) | undefined
}

/** In milliseconds: the page has loaded what it shows, and nothing is typed. */
const quietAfter = 3000

/** A text area for Markdown, with a preview, which is also what is printed. Its tools are loaded on first use. */
export function TextEditor({
  ticket,
  label,
  value,
  onChange,
  onTick,
  onFocus,
  id,
  className,
  helperText,
  problem,
  ...area
}: TextEditorProps) {
  const ownId = useId()
  const key = id ?? ownId
  const element = useRef<HTMLTextAreaElement>(null)
  const [tab, choose] = useState<'write' | 'preview'>('write')
  const [isUsed, use] = useState(false)
  const isOffline = useOffline()
  const waiting = useRef<readonly File[]>([])
  const isWriting = tab === 'write'
  const isPrinting = usePrinting()
  const isPrinted = isPrinting && isWriting && value.trim() !== ''
  // Paper cannot wait for the renderer.
  useEffect(() => {
    const timer = setTimeout(prepareRichText, quietAfter, value)
    return () => clearTimeout(timer)
  }, [value])
  // Once they are loaded, the tools handle these events first.
  const take = (event: SyntheticEvent, { files }: DataTransfer) => {
    if (event.defaultPrevented || area.disabled || area.readOnly || files.length === 0) return
    event.preventDefault()
    waiting.current = [...waiting.current, ...files]
    use(true)
  }
  const tabs = !area.disabled && (
    <Tabs
      label="Write or preview"
      value={tab}
      tabs={[
        { value: 'write', label: 'WRITE' },
        { value: 'preview', label: 'PREVIEW', controls: isWriting ? undefined : `${key}-preview` },
      ]}
      onChange={choose}
      className={styles.tabs}
    />
  )
  return (
    <div className={className}>
      {(!isWriting || isPrinted) && (
        <FieldFrame id={`${key}-preview`} label={label} labelEnd={tabs} helperText={helperText} problem={problem}>
          <div id={`${key}-preview`} role="tabpanel" aria-label="Preview" className={styles.preview}>
            {value.trim() === '' ? (
              <span className={styles.nothing}>Nothing to preview</span>
            ) : (
              <RichText text={value} ticket={ticket} onTick={onTick} firstPart={isPrinted ? Number.POSITIVE_INFINITY : undefined} />
            )}
          </div>
        </FieldFrame>
      )}
      {/* It stays, so that the browser's undo does. */}
      <div hidden={!isWriting} className={isPrinted ? styles.unprinted : undefined}>
        <TextArea
          ref={element}
          id={key}
          label={label}
          labelEnd={isWriting && tabs}
          helperText={helperText}
          problem={problem}
          value={value}
          onChange={event => onChange(event.target.value)}
          onFocus={event => {
            use(true)
            onFocus?.(event)
          }}
          onDragOver={event => event.dataTransfer.types.includes('Files') && event.preventDefault()}
          onDrop={event => take(event, event.dataTransfer)}
          onPaste={event => event.clipboardData.getData('text/plain') === '' && take(event, event.clipboardData)}
          {...area}
        />
        {isUsed && (
          <div className={styles.tools} hidden={area.disabled || area.readOnly}>
            <Suspense>
              <EditorTools
                area={element}
                ticket={ticket}
                waiting={waiting}
                onClose={() => {
                  // The bar above says already that there is no connection; a picture is missed.
                  if (!isOffline || waiting.current.length > 0) notify.error(partProblem)
                  waiting.current = []
                  use(false)
                }}
              />
            </Suspense>
          </div>
        )}
      </div>
    </div>
  )
}
