import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { LoadProblem } from '../../components/empty-state/load-problem.tsx'
import { IconButton } from '../../components/icon-button/icon-button.tsx'
import { CloseIcon, SearchIcon } from '../../components/icons/icons.tsx'
import { PhaseMark } from '../../components/icons/phase-mark.tsx'
import { Keys } from '../../components/keys/keys.tsx'
import { TypedStatus } from '../../components/visually-hidden/typed-status.tsx'
import { VisuallyHidden } from '../../components/visually-hidden/visually-hidden.tsx'
import { type Entry, isKey } from './matching.ts'
import styles from './palette.module.css'
import { useGroups } from './use-groups.ts'

interface PaletteProps {
  /** Opened over a dialog or a menu: the actions of the page below are left out. */
  isOverDialog: boolean
  /** What was typed while the palette was loading. */
  typed: RefObject<string>
  onClose: () => void
}

/** The command palette: one field that finds actions, pages, tickets, views and people. */
export function Palette({ isOverDialog, typed, onClose }: PaletteProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [chosen, choose] = useState<string>()
  const [isAwaited, awaitFirst] = useState(false)
  const { groups, loads, isSearching } = useGroups(text, isOverDialog)
  const entries = groups.flatMap(group => group.entries)
  const at = Math.max(
    0,
    entries.findIndex(entry => entry.id === chosen),
  )
  const current = entries[at]

  const run = (entry: Entry | undefined) => {
    if (!entry || entry.refused) return
    // Restores the focus first, because the action may move it.
    flushSync(onClose)
    entry.run()
  }
  const step = (by: number) => choose(entries[(at + by + entries.length) % entries.length]?.id)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key !== 'Enter') return
    // For people who know a ticket's key and type faster than the search answers.
    else if (isSearching && chosen === undefined && (isKey(text) || !current)) awaitFirst(true)
    else run(current)
    event.preventDefault()
  }

  // Keys were buffered for it until now.
  useLayoutEffect(() => {
    setText(typed.current)
    input.current?.focus()
  }, [typed])
  useEffect(() => {
    // After the effect: flushSync is refused within it.
    if (isAwaited && !isSearching) queueMicrotask(() => run(current))
  })
  useEffect(() => {
    document.getElementById(`${id}-${current?.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current?.id])

  return (
    <Dialog onClose={onClose} aria-labelledby={`${id}-title`} className={styles.palette}>
      <VisuallyHidden id={`${id}-title`}>Find an action, a page or a ticket</VisuallyHidden>
      <div className={styles.field}>
        <SearchIcon color="text-faint" />
        <input
          ref={input}
          role="combobox"
          aria-labelledby={`${id}-title`}
          aria-autocomplete="list"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={current && `${id}-${current.id}`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="Find an action, a page, a ticket…"
          className={styles.input}
          value={text}
          onChange={event => {
            setText(event.target.value)
            choose(undefined)
            awaitFirst(false)
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton aria-label="Close" onClick={onClose} className={styles.close}>
          <CloseIcon />
        </IconButton>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label="Found" hidden={entries.length === 0} className={styles.list}>
        {groups.map(({ name, entries: its }, position) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list
          <div key={name} role="group" aria-labelledby={`${id}-${position}`}>
            <div id={`${id}-${position}`} className={styles.name}>
              {name}
            </div>
            {its.map(entry => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
              <div
                key={entry.id}
                id={`${id}-${entry.id}`}
                role="option"
                aria-selected={entry === current}
                aria-disabled={entry.refused ? true : undefined}
                className={styles.entry}
                onPointerMove={() => choose(entry.id)}
                onClick={() => run(entry)}
              >
                {entry.phase && <PhaseMark phase={entry.phase} />}
                <span className={styles.words}>
                  {entry.code && <span className={styles.code}>{entry.code} </span>}
                  {entry.label}
                  {entry.detail && <span className={styles.detail}> {entry.detail}</span>}
                  {entry.refused && <span className={styles.refused}>{entry.refused}</span>}
                </span>
                {entry.keys && !entry.refused && <Keys keys={entry.keys} />}
              </div>
            ))}
          </div>
        ))}
      </div>
      <LoadProblem title="Not everything could be searched" of={loads} />
      {entries.length === 0 && <p className={styles.none}>{isSearching ? 'Searching…' : 'Nothing found'}</p>}
      <TypedStatus>{isSearching ? '' : `${entries.length} found`}</TypedStatus>
    </Dialog>
  )
}
