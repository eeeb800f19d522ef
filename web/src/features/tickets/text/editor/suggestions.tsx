import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getMentionableUsers } from '@tessera/contract/tickets/watchers'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { onViewChange, putUnder } from '../../../../components/layer/put-under.ts'
import { VisuallyHidden } from '../../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../lib/calls/live/seldom-stale.ts'
import { counted } from '../../../../lib/display/format.ts'
import { applyEdit, selectedOf } from './apply-edit.ts'
import { caretPlace } from './caret-place.ts'
import { beginning, completed } from './editing.ts'
import styles from './editor-tools.module.css'
import { emojiFor } from './emoji.ts'

interface SuggestionsProps {
  area: { current: HTMLTextAreaElement | null }
  idTicket: number
}

/** The least width of the list, in pixels. */
const leastWidth = 180

/** People for `@` and emoji for `:`, in a list at the caret. */
export function Suggestions({ area, idTicket }: SuggestionsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [asked, ask] = useState<ReturnType<typeof beginning>>()
  const [active, setActive] = useState(0)
  /** Where Escape closed the list: it stays closed for that word. */
  const closedAt = useRef<number>(undefined)
  const people = useQuery({
    ...callQuery(getMentionableUsers, { idTicket, Text: asked?.kind === '@' ? asked.words : '' }),
    enabled: asked?.kind === '@',
    placeholderData: keepPreviousData,
    staleTime: seldomStale,
  })
  const entriesFor = ({ kind, words }: NonNullable<typeof asked>) => {
    if (kind !== '@') return emojiFor(words).map(({ sign, name }) => ({ key: name, insert: sign, first: sign, second: `:${name}:` }))
    // Until the answer comes, those of the earlier one that fit.
    const isFitting = (name: string) => !people.isPlaceholderData || name.toLowerCase().includes(words.toLowerCase())
    return (people.data ?? [])
      .filter(({ Login, Name }) => isFitting(`${Login} ${Name}`))
      .map(({ idUser, Login, Name }) => ({ key: String(idUser), insert: `@${Login}`, first: Name, second: `@${Login}` }))
  }
  const entries = asked ? entriesFor(asked) : []
  const isOpen = asked !== undefined && entries.length > 0
  const chosen = Math.min(active, entries.length - 1)

  const look = useEffectEvent(() => {
    const element = area.current
    const found = element && document.activeElement === element ? beginning(selectedOf(element)) : undefined
    if (found?.from !== closedAt.current) closedAt.current = undefined
    const next = closedAt.current === undefined ? found : undefined
    if (next?.words !== asked?.words || next?.from !== asked?.from) setActive(0)
    ask(next)
  })
  const close = useEffectEvent(() => ask(undefined))
  const take = (index: number) => {
    const element = area.current
    const entry = entries[index]
    if (!element || !entry || !asked) return
    applyEdit(element, completed(selectedOf(element), asked.from, entry.insert))
    ask(undefined)
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || event.isComposing) return
    const { key } = event
    if (key === 'ArrowDown') setActive((chosen + 1) % entries.length)
    else if (key === 'ArrowUp') setActive((chosen + entries.length - 1) % entries.length)
    else if ((key === 'Enter' || key === 'Tab') && !event.ctrlKey && !event.metaKey && !event.shiftKey) take(chosen)
    else if (key === 'Escape') {
      closedAt.current = asked?.from
      ask(undefined)
    } else return
    event.preventDefault()
    event.stopImmediatePropagation()
  })
  useEffect(() => {
    const element = area.current
    if (!element) return
    const ended = new AbortController()
    const { signal } = ended
    element.addEventListener('keydown', event => onKeyDown(event), { signal })
    for (const name of ['input', 'click', 'keyup'] as const) element.addEventListener(name, () => look(), { signal })
    element.addEventListener('blur', () => close(), { signal })
    // The tools are loaded when the text area gets the focus: an `@` may have been typed meanwhile. A name that stood there before opens nothing.
    if (beginning(selectedOf(element))?.words === '') look()
    return () => ended.abort()
  }, [area])

  // A text area cannot have `aria-expanded`; `aria-controls` refers to the list.
  useEffect(() => {
    const element = area.current
    if (!element || !isOpen) return
    element.setAttribute('aria-autocomplete', 'list')
    element.setAttribute('aria-controls', id)
    element.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) element.removeAttribute(name)
    }
  }, [area, id, isOpen, chosen])
  const place = () => {
    if (!list.current || !area.current || !asked) return
    const { x, y, height } = caretPlace(area.current, asked.from)
    // Above or below the line that is being typed, never over it.
    const line = { getBoundingClientRect: () => new DOMRect(x, y, leastWidth, height) } as HTMLElement
    putUnder(list.current, line, { isWide: true })
  }
  useLayoutEffect(() => {
    place()
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  const onMove = useEffectEvent(place)
  useEffect(() => (isOpen ? onViewChange(list, () => onMove()) : undefined), [isOpen])
  return (
    <>
      <VisuallyHidden>
        <span role="status">{isOpen && counted(entries.length, 'suggestion')}</span>
      </VisuallyHidden>
      {isOpen &&
        createPortal(
          <section aria-label="Suggestions">
            <div
              ref={list}
              id={id}
              role="listbox"
              aria-label={asked.kind === '@' ? 'People' : 'Emoji'}
              className={styles.list}
              // The text area keeps the focus.
              onMouseDown={event => event.preventDefault()}
            >
              {entries.map(({ key, first, second }, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the text area has the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the text area keeps the focus
                <div
                  key={key}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === chosen}
                  className={styles.entry}
                  onClick={() => take(index)}
                >
                  <span>{first}</span>
                  <span>{second}</span>
                </div>
              ))}
            </div>
          </section>,
          document.body,
        )}
    </>
  )
}
