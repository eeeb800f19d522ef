import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CloseIcon, SearchIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { useActions } from '../../../lib/input/actions.ts'
import { useShortcutsEnabled } from '../../../lib/input/keys/shortcuts-enabled.ts'
import { useSession } from '../../../lib/session/session.tsx'
import styles from './title-field.module.css'

const SearchPanel = lazy(async () => (await import('./search-panel.tsx')).SearchPanel)

/** The search field of the title bar. The panel with the results is loaded when the field is approached. */
export function TitleField() {
  const { authenticated } = useSession()
  return authenticated ? <Field /> : null
}

function Field() {
  const hasShortcuts = useShortcutsEnabled()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [caret, setCaret] = useState(0)
  /** The option that the arrow keys are on. */
  const [active, setActive] = useState<string>()
  /** The text for which Enter was pressed; the panel acts on it once it has the results. */
  const [entered, enter] = useState<string>()
  const onPanelKey = useRef<(event: KeyboardEvent) => void>(undefined)
  const returnTo = useRef<Element>(null)

  const open = () => {
    returnTo.current = document.activeElement
    // Focused synchronously, or a phone would not show its keyboard.
    flushSync(() => setOpen(true))
    input.current?.focus()
    input.current?.select()
  }
  const close = () => {
    setOpen(false)
    enter(undefined)
  }
  const leave = () => {
    close()
    input.current?.blur()
    if (returnTo.current instanceof HTMLElement) returnTo.current.focus()
  }
  const done = () => {
    setText('')
    close()
    // A new page takes it over; where the page stays, as with a second search, the focus would be nowhere.
    const heading = document.querySelector('h1')
    if (heading) heading.focus({ preventScroll: true })
    else input.current?.blur()
  }
  useActions([{ keys: '/', label: 'Search', run: open }])
  const closeBeside = useEffectEvent((event: Event) => {
    if (isOpen && !box.current?.contains(event.target as Node)) close()
  })
  useEffect(() => {
    document.addEventListener('pointerdown', closeBeside)
    return () => document.removeEventListener('pointerdown', closeBeside)
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    onPanelKey.current?.(event)
    if (event.defaultPrevented) return
    if (event.key === 'Escape') {
      event.preventDefault()
      leave()
    } else if (event.key === 'Enter' && text.trim() !== '') enter(text)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes what is open when the focus goes elsewhere
    <div
      ref={box}
      className={styles.search}
      data-open={isOpen || undefined}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !box.current?.contains(relatedTarget)) close()
      }}
    >
      <Tooltip title="Search">
        <IconButton aria-label="Search" className={styles.opener} onPointerEnter={SearchPanel.prepare} onClick={open}>
          <SearchIcon />
        </IconButton>
      </Tooltip>
      <div className={styles.field}>
        <SearchIcon fontSize="small" />
        <input
          ref={input}
          role="combobox"
          aria-label="Search tickets"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={isOpen ? active : undefined}
          aria-keyshortcuts={hasShortcuts ? '/' : undefined}
          placeholder="Search"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setCaret(target.selectionStart ?? target.value.length)
            enter(undefined)
            setOpen(true)
          }}
          onPointerEnter={SearchPanel.prepare}
          onFocus={({ relatedTarget }) => {
            SearchPanel.prepare()
            if (!isOpen) returnTo.current = relatedTarget
          }}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
        />
        {hasShortcuts && <kbd aria-hidden>/</kbd>}
        <IconButton small aria-label="Close the search" className={styles.close} onClick={leave}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </div>
      {isOpen && (
        <SearchPanel
          id={`${id}-list`}
          text={text}
          caret={caret}
          onText={next => {
            setText(next)
            setCaret(next.length)
            input.current?.focus()
          }}
          entered={entered}
          onActive={setActive}
          onKey={onPanelKey}
          onDone={done}
          onClose={close}
        />
      )}
    </div>
  )
}
