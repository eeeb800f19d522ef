import { permission } from '@tessera/contract/permissions'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { IconButton } from '../../../../components/icon-button/icon-button.tsx'
import { AttachIcon, LinkIcon } from '../../../../components/icons/icons.tsx'
import { isMac } from '../../../../components/keys/is-mac.ts'
import { Tooltip } from '../../../../components/tooltip/tooltip.tsx'
import { hasModifier } from '../../../../lib/input/keys/has-modifier.ts'
import { moveFocus } from '../../../../lib/input/move-focus.ts'
import type { Ticket } from '../../ticket.ts'
import { applyEdit, selectedOf } from './apply-edit.ts'
import { asCode, asItems, asLink, type Edit, nextItem, pastedLink, type Selected, wrapped } from './editing.ts'
import styles from './editor-tools.module.css'
import { BoldIcon, CodeIcon, ItalicIcon, ItemsIcon, MentionIcon, TasksIcon } from './icons.tsx'
import { PictureUploads, type PictureUploadsHandle } from './picture-uploads.tsx'
import { Suggestions } from './suggestions.tsx'

interface EditorToolsProps {
  area: { current: HTMLTextAreaElement | null }
  ticket: Ticket
  /** Files that were pasted or dropped before the tools were there. */
  waiting: { current: readonly File[] }
}

const tools: {
  name: string
  keys?: string
  code?: string
  isShifted?: boolean
  icon: typeof BoldIcon
  change: (selected: Selected) => Edit
}[] = [
  { name: 'Bold', keys: 'B', code: 'KeyB', icon: BoldIcon, change: selected => wrapped(selected, '**') },
  { name: 'Italic', keys: 'I', code: 'KeyI', icon: ItalicIcon, change: selected => wrapped(selected, '*') },
  { name: 'Code', keys: 'E', code: 'KeyE', icon: CodeIcon, change: asCode },
  { name: 'List', keys: 'Shift+8', code: 'Digit8', isShifted: true, icon: ItemsIcon, change: selected => asItems(selected, '- ') },
  { name: 'Task list', keys: 'Shift+L', code: 'KeyL', isShifted: true, icon: TasksIcon, change: selected => asItems(selected, '- [ ] ') },
  { name: 'Link', keys: 'K', code: 'KeyK', icon: LinkIcon, change: asLink },
]
function toolOf({ code, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) {
  const isCommand = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey
  if (!isCommand || altKey) return undefined
  return tools.find(tool => tool.code === code && (tool.isShifted ?? false) === shiftKey)
}

/** Inserts an `@`, which opens the list of people. */
function mention({ text, start, end }: Selected): Edit {
  const insert = start > 0 && !/[\s(]/.test(text[start - 1] ?? '') ? ' @' : '@'
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}

/** Markdown tools for a text area: buttons, keys, continued lists, suggestions, pictures. */
export function EditorTools({ area, ticket, waiting }: EditorToolsProps) {
  const uploads = useRef<PictureUploadsHandle>(null)
  const [current, setCurrent] = useState(0)
  const change = (how: (selected: Selected) => Edit | undefined) => {
    const element = area.current
    const edit = element && how(selectedOf(element))
    if (edit) applyEdit(element, edit)
    return edit !== undefined && edit !== null
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const { selectionStart, selectionEnd } = area.current ?? {}
    const tool = toolOf(event)
    // Without a selection this key belongs to the palette.
    if (tool?.code === 'KeyK' && selectionStart === selectionEnd) return
    const isPlainEnter = event.key === 'Enter' && !hasModifier(event)
    const how = tool?.change ?? (isPlainEnter ? nextItem : undefined)
    if (how && change(how)) event.preventDefault()
  })
  // The page takes the files instead.
  const isFixed = () => area.current?.readOnly || area.current?.disabled
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isFixed()) return
    const files = [...(event.clipboardData?.files ?? [])]
    const text = event.clipboardData?.getData('text/plain') ?? ''
    // A copied spreadsheet cell or word is also on the clipboard as a picture: prefers its text.
    if (files.length > 0 && text === '') {
      event.preventDefault()
      uploads.current?.add(files)
    } else if (change(selected => pastedLink(selected, text))) event.preventDefault()
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0 || isFixed()) return
    event.preventDefault()
    uploads.current?.add(files)
  })
  useEffect(() => {
    const element = area.current
    if (!element) return
    const ended = new AbortController()
    const { signal } = ended
    element.addEventListener('keydown', event => onKeyDown(event), { signal })
    element.addEventListener('paste', event => onPaste(event), { signal })
    element.addEventListener('dragover', event => event.dataTransfer?.types.includes('Files') && event.preventDefault(), { signal })
    element.addEventListener('drop', event => onDrop(event), { signal })
    if (waiting.current.length > 0) uploads.current?.add(waiting.current)
    waiting.current = []
    return () => ended.abort()
  }, [area, waiting])

  const buttons = [
    ...tools.map(({ name, keys, icon, change: how }) => ({
      name: keys ? `${name} (${isMac ? '⌘' : 'Ctrl+'}${keys})` : name,
      Icon: icon,
      run: () => change(how),
    })),
    ...(ticket.Permissions.includes(permission.addAttachments)
      ? [{ name: 'Picture', Icon: AttachIcon, run: () => uploads.current?.choose() }]
      : []),
    { name: 'Mention somebody (@)', Icon: MentionIcon, run: () => change(mention) },
  ]
  return (
    <>
      {/* First, so that its keys go before those of lists. */}
      <Suggestions area={area} idTicket={ticket.idTicket} />
      <div
        role="toolbar"
        aria-label="Formatting"
        className={styles.bar}
        onKeyDown={event => moveFocus(event, 'button', { back: 'ArrowLeft', on: 'ArrowRight' })}
      >
        {buttons.map(({ name, Icon, run }, index) => (
          <Tooltip key={name} title={name}>
            <IconButton
              small
              tabIndex={index === current ? 0 : -1}
              // The text area keeps its focus and its selection.
              onMouseDown={event => event.preventDefault()}
              onFocus={() => setCurrent(index)}
              onClick={() => void run()}
            >
              <Icon fontSize="small" />
            </IconButton>
          </Tooltip>
        ))}
      </div>
      <PictureUploads ref={uploads} area={area} ticket={ticket} />
    </>
  )
}
